package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.Interception;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node forgets a lock, so another owner gets it meanwhile. Then the keys of the first
 * owner arrive late on the nodes that the other owner has released.
 */
class ForgetfulNodeTests extends FiveProxiedNodes {

	private static final Duration BRIEF = Duration.ofSeconds(1);

	private final Register register = new Register();

	/** Acquires the lock on nodes 1, 2 and 3. The commands to nodes 4 and 5 are held. */
	private Lease acquireWhileTwoAreLate(RedLock locks, List<Interception> late) {
		Lease lease = acquire(locks);
		assertThat(holders(lease.owner())).isEqualTo(3);
		late.forEach(Interception::awaitMet);
		return lease;
	}

	private List<Interception> holdFourAndFive() {
		return Stream.of(4, 5)
			.map((number) -> this.proxied.proxy(number).at(ProxiedNodes.ACQUIRE).nth(1).holdCommand())
			.toList();
	}

	/**
	 * Node 3 forgets the lock. Another owner takes it on nodes 3, 4 and 5 and releases
	 * it.
	 */
	private void anotherHasItMeanwhile(Engine engine) {
		this.nodes.ask(3, "FLUSHALL");
		RedLock others = this.nodes.open(engine, this.register, LockListener.NONE);
		Lease other = acquire(others);
		assertThat(this.register.owner).hasValue(other.owner());
		TestNodes.await().until(() -> this.nodes.owners(NAME).subList(2, 5).stream().allMatch(other.owner()::equals));
		other.release().block(BOUND);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(other.owner()));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void keysThatArriveLateDoNotProlongTheLeaseOfANodeThatForgot(Engine engine) {
		RedLock locks = open(engine, BRIEF, this.register);
		List<Interception> late = holdFourAndFive();
		Lease lease = acquireWhileTwoAreLate(locks, late);
		TestNodes.await()
			.until(() -> List.copyOf(lease.outcomes().values())
				.subList(3, 5)
				.stream()
				.allMatch(NodeOutcome.TIMEOUT::equals));
		anotherHasItMeanwhile(engine);
		late.forEach(Interception::close);
		TestNodes.await().until(() -> holders(lease.owner()) == 3 && this.nodes.owner(5, NAME).equals(lease.owner()));
		TestNodes.awaitAllUp(locks);
		this.register.owner.set(lease.owner());
		StepVerifier.create(lease.extend()).expectError(NoQuorum.class).verify(BOUND);
	}

	/**
	 * Keys that arrive within the node time-out count as votes. Then only the register
	 * knows of the other owner.
	 */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void aReplacedClaimIsNotRenewed(Engine engine) {
		RedLock locks = open(engine, PATIENT, this.register);
		List<Interception> late = holdFourAndFive();
		Lease lease = acquireWhileTwoAreLate(locks, late);
		anotherHasItMeanwhile(engine);
		late.forEach(Interception::close);
		awaitVotes(lease, 5);
		StepVerifier.create(lease.extend()).expectError(LeaseExpired.class).verify(BOUND);
		assertThat(this.register.owner.get()).isNotEqualTo(lease.owner());
		assertThat(lease.remaining()).isZero();
	}

	/** The register of a protected store. */
	private static final class Register implements FenceRegister {

		private final AtomicReference<String> owner = new AtomicReference<>("");

		@Override
		public Mono<Void> claim(Lease lease) {
			return Mono.fromRunnable(() -> this.owner.set(lease.owner()));
		}

		@Override
		public Mono<Boolean> renew(Lease lease) {
			return Mono.fromSupplier(() -> lease.owner().equals(this.owner.get()));
		}

	}

}
