package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Errors of a body, of a fence and of the machine for which Reactor gives no signal, such
 * as a class that cannot be loaded. The caller hears of them, and the lock is given back.
 */
class CallbackErrorTests extends FiveNodes {

	/** Much shorter than a lease or a wait. */
	private static final Duration SOON = Duration.ofSeconds(5);

	private static final LockOptions PATIENT = LockOptions.of(LEASE, BOUND);

	private static <T> T fail() {
		throw new NoClassDefFoundError("mine");
	}

	/** Each way in which a callback may end with an error. */
	static Stream<Function<Lease, Mono<Void>>> failing() {
		return Stream.of((lease) -> fail(), (lease) -> Mono.defer(CallbackErrorTests::fail),
				(lease) -> Mono.fromRunnable(CallbackErrorTests::fail),
				(lease) -> Mono.fromCallable(CallbackErrorTests::fail),
				(lease) -> Mono.error(new NoClassDefFoundError("mine")),
				(lease) -> Mono.just(1).flatMap((one) -> fail()), (lease) -> Mono.just(1).map((one) -> fail()));
	}

	private void assertFails(Mono<?> call) {
		StepVerifier.create(call).expectError(NoClassDefFoundError.class).verify(SOON);
		TestNodes.await().atMost(LEASE.dividedBy(2)).until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@MethodSource("failing")
	void anErrorOfTheBodyIsTheResult(Function<Lease, Mono<Void>> body) {
		RedLock locks = this.nodes.open(Engine.PARALLEL);
		assertFails(locks.withLock(NAME, AT_ONCE, body));
		assertFails(locks.withLock(NAME, PATIENT, body));
	}

	@ParameterizedTest
	@MethodSource("failing")
	void anErrorOfTheClaimIsTheResult(Function<Lease, Mono<Void>> claim) {
		RedLock locks = this.nodes.open(Engine.PARALLEL, TestFences.claiming(claim), LockListener.NONE);
		assertFails(locks.tryAcquire(NAME, AT_ONCE));
		assertFails(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just("never")));
		assertFails(locks.withLock(NAME, PATIENT, (lease) -> Mono.just("never")));
	}

	@ParameterizedTest
	@MethodSource("failing")
	void anErrorOfTheRenewalIsTheResultOfAnExtension(Function<Lease, Mono<Void>> renewal) {
		AtomicBoolean claimed = new AtomicBoolean();
		RedLock locks = this.nodes.open(Engine.PARALLEL,
				TestFences.claiming((lease) -> claimed.getAndSet(true) ? renewal.apply(lease) : Mono.empty()),
				LockListener.NONE);
		Lease lease = acquire(locks);
		StepVerifier.create(lease.extend()).expectError(NoClassDefFoundError.class).verify(SOON);
		lease.release().block(BOUND);
	}

	/** As a fence that works under a lock of its own. */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLockThatTheFenceDidNotGetIsNotThisOne(Engine engine) {
		RedLock locks = this.nodes.open(engine, TestFences.claiming((lease) -> Mono.error(new LockTaken("inner"))),
				LockListener.NONE);
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE)).expectError(LockTaken.class).verify(SOON);
	}

	@Test
	void aLeaseIsOverOnlyIfItIsThisOne() {
		RecordingListener heard = new RecordingListener();
		RedLock locks = this.nodes.open(Engine.PARALLEL, FenceRegister.NONE, heard);
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.error(new LeaseExpired("inner"))))
			.expectError(LeaseExpired.class)
			.verify(SOON);
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> lease.release().thenReturn("given back")))
			.expectError(LeaseExpired.class)
			.verify(SOON);
		assertThat(heard.events).doesNotContain("expired " + NAME);
	}

	@Test
	void aBodyForWhichNoThreadCanBeStartedFails() {
		LockSettings settings = this.nodes.settings(Engine.PARALLEL);
		WithoutThreads environment = new WithoutThreads(new RedissonLockEnvironment(settings, TimeSource.SYSTEM),
				new AtomicBoolean());
		MajorityRedLock locks = new MajorityRedLock(new LockDependencies(
				new LockNodes(settings, environment, Ballot::new), FenceRegister.NONE, LockListener.NONE, environment,
				new LocalQueues(environment.timers()), new DetachedOperations()), SOON);
		TestNodes.awaitAllUp(locks);
		StepVerifier.create(locks.withLock(NAME, PATIENT, (lease) -> Mono.just("never")))
			.expectError(OutOfMemoryError.class)
			.verify(SOON);
		StepVerifier.create(locks.withLock(NAME, PATIENT, (lease) -> Mono.just("next")))
			.expectNext("next")
			.expectComplete()
			.verify(SOON);
		locks.close().block(BOUND);
	}

	/** An environment that once cannot start a thread for a body. */
	private record WithoutThreads(RedissonLockEnvironment environment,
			AtomicBoolean failed) implements LockEnvironment {

		@Override
		public Scheduler bodies() {
			return new Scheduler() {
				@Override
				public Disposable schedule(Runnable task) {
					if (WithoutThreads.this.failed.compareAndSet(false, true)) {
						throw new OutOfMemoryError("unable to create native thread");
					}
					return WithoutThreads.this.environment.bodies().schedule(task);
				}

				@Override
				public Worker createWorker() {
					return WithoutThreads.this.environment.bodies().createWorker();
				}
			};
		}

		@Override
		public ClockReading now() {
			return this.environment.now();
		}

		@Override
		public Scheduler timers() {
			return this.environment.timers();
		}

		@Override
		public long between(long from, long to) {
			return this.environment.between(from, to);
		}

		@Override
		public String owner() {
			return this.environment.owner();
		}

		@Override
		public List<RedissonNodeConnection> links() {
			return this.environment.links();
		}

		@Override
		public int eventLoops() {
			return this.environment.eventLoops();
		}

		@Override
		public Mono<Void> ready() {
			return this.environment.ready();
		}

		@Override
		public Mono<Void> close() {
			return this.environment.close();
		}

	}

}
