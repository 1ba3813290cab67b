package live.retwis.locks;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An extension needs a majority of nodes that still have the owner.
 */
class ExtendTests extends FiveNodes {

	@ParameterizedTest
	@EnumSource(Engine.class)
	void raisesTheTimeToLiveAndNeverLowersIt(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		awaitVotes(lease, 5);
		this.nodes.ask(1, "PEXPIRE lock:" + NAME + " 1000");
		this.nodes.ask(2, "PEXPIRE lock:" + NAME + " 60000");
		lease.extend().block(BOUND);
		TestNodes.await().untilAsserted(() -> assertThat(this.nodes.millisToLive(1, NAME)).isGreaterThan(5000));
		assertThat(this.nodes.millisToLive(2, NAME)).isGreaterThan(50_000);
		assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(9));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void succeedsWhileAMajorityHasTheKey(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		awaitVotes(lease, 5);
		this.nodes.ask(1, "FLUSHALL");
		this.nodes.ask(2, "FLUSHALL");
		lease.extend().block(BOUND);
		assertThat(lease.remaining()).isPositive();
		this.nodes.ask(3, "FLUSHALL");
		StepVerifier.create(lease.extend()).verifyError(LeaseExpired.class);
		assertThat(lease.remaining()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void failsAfterAMajorityLostTheKeyAndAnotherOwnerHasTheLock(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		awaitVotes(lease, 5);
		for (int number = 1; number <= 3; number++) {
			this.nodes.ask(number, "FLUSHALL");
		}
		Lease successor = acquire(locks);
		StepVerifier.create(lease.extend()).verifyError(LeaseExpired.class);
		assertThat(lease.remaining()).isZero();
		assertThat(successor.remaining()).isPositive();
		lease.release().block(BOUND);
		assertThat(this.nodes.owners(NAME)).filteredOn(successor.owner()::equals).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void withoutAMajorityTheLeaseKeepsItsOldValidity(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		lease.extend().block(BOUND);
		this.nodes.kill(1, 2, 3);
		StepVerifier.create(lease.extend()).verifyError(NoQuorum.class);
		assertThat(lease.remaining()).isPositive();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aReleasedLeaseCannotBeExtended(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		lease.release().block(BOUND);
		StepVerifier.create(lease.extend()).verifyError(LeaseExpired.class);
	}

}
