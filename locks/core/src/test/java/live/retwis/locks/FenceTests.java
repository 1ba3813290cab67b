package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The protected store stores the owner before anything is read under the lock.
 */
class FenceTests extends FiveNodes {

	@ParameterizedTest
	@EnumSource(Engine.class)
	void claimsAfterTheVotesAndBeforeTheBody(Engine engine) {
		List<String> steps = new CopyOnWriteArrayList<>();
		RedLock locks = this.nodes.open(engine, TestFences.claiming((lease) -> Mono.fromRunnable(() -> {
			assertThat(this.nodes.owners(NAME)).filteredOn(lease.owner()::equals).hasSizeGreaterThanOrEqualTo(3);
			assertThat(lease.remaining()).isPositive();
			steps.add("claim " + lease.owner());
		})), LockListener.NONE);
		String owner = locks
			.withLock(NAME, AT_ONCE, (lease) -> Mono.fromRunnable(() -> steps.add("body")).thenReturn(lease.owner()))
			.block(BOUND);
		assertThat(steps).containsExactly("claim " + owner, "body");
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aFailedClaimFailsTheAcquisitionAndReleasesTheLock(Engine engine) {
		RedLock claimed = this.nodes.open(engine, TestFences.claiming((lease) -> Mono.empty()), LockListener.NONE);
		StepVerifier.create(claimed.withLock(NAME, AT_ONCE, (lease) -> Mono.just("body")))
			.expectNext("body")
			.verifyComplete();
		RedLock locks = this.nodes.open(engine,
				TestFences.claiming((lease) -> Mono.error(new IllegalStateException("store is down"))),
				LockListener.NONE);
		StepVerifier.create(locks.withLock(NAME, LockOptions.of(LEASE, BOUND), (lease) -> Mono.just("never")))
			.verifyErrorMessage("store is down");
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE)).verifyErrorMessage("store is down");
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	/** As a fence that works under a lock of its own. */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void aClaimThatIsRefusedByAnotherLockReleasesThisOne(Engine engine) {
		RedLock locks = this.nodes.open(engine, TestFences.claiming((lease) -> Mono.error(new LockTaken("inner"))),
				LockListener.NONE);
		StepVerifier.create(locks.withLock(NAME, LockOptions.of(LEASE, BOUND), (lease) -> Mono.just("never")))
			.expectErrorSatisfies(
					(error) -> assertThat(error).isInstanceOf(LockTaken.class).hasMessageContaining("inner"))
			.verify(Duration.ofSeconds(5));
		await(LEASE.dividedBy(2)).until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aClaimThatThrowsAnErrorFailsTheAcquisition(Engine engine) {
		RedLock locks = this.nodes.open(engine, TestFences.claiming((lease) -> {
			throw new NoClassDefFoundError("of the fence");
		}), LockListener.NONE);
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE))
			.expectError(NoClassDefFoundError.class)
			.verify(Duration.ofSeconds(5));
		await(LEASE.dividedBy(2)).until(() -> this.nodes.areFree(NAME));
	}

	private static ConditionFactory await(Duration limit) {
		return TestNodes.await().atMost(limit);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void anExtensionRenewsTheClaimForTheLongerTime(Engine engine) {
		TestTime time = new TestTime();
		List<Duration> claimed = new CopyOnWriteArrayList<>();
		RedLock locks = TestNodes.awaitAllUp(this.nodes.open(this.nodes.settings(engine),
				TestFences.claiming((lease) -> Mono.fromRunnable(() -> claimed.add(lease.remaining()))),
				LockListener.NONE, time));
		Lease lease = acquire(locks);
		time.pass(Duration.ofSeconds(3));
		lease.extend().block(BOUND);
		assertThat(claimed).containsExactly(Duration.ofMillis(9898), Duration.ofMillis(9898));
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aClaimThatOutlivesTheLeaseIsCancelled(Engine engine) {
		RedLock locks = this.nodes.open(engine, TestFences.claiming((lease) -> Mono.never()), LockListener.NONE);
		LockOptions shortLease = LockOptions.of(Duration.ofSeconds(2), Duration.ZERO);
		StepVerifier.create(locks.withLock(NAME, shortLease, (lease) -> Mono.just("never")))
			.expectError(LeaseExpired.class)
			.verify(BOUND);
	}

}
