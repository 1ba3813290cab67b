package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lease is over when one of the two clocks of this machine says so.
 */
class LeaseTimeTests extends FiveNodes {

	private static final List<BiConsumer<TestTime, Duration>> CLOCKS = List.of(TestTime::monotonicPasses,
			TestTime::wallClockIsSet);

	private final TestTime time = new TestTime();

	private RedLock open(Engine engine) {
		return TestNodes
			.awaitAllUp(this.nodes.open(this.nodes.settings(engine), FenceRegister.NONE, LockListener.NONE, this.time));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void isOverWhenOneOfTheTwoClocksSaysSo(Engine engine) {
		RedLock locks = open(engine);
		for (BiConsumer<TestTime, Duration> clock : CLOCKS) {
			Lease lease = acquire(locks);
			clock.accept(this.time, Duration.ofMillis(9897));
			assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(1));
			lease.extend().block(BOUND);
			assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9898));
			clock.accept(this.time, Duration.ofMillis(9898));
			assertThat(lease.remaining()).isZero();
			StepVerifier.create(lease.extend()).verifyError(LeaseExpired.class);
			lease.release().block(BOUND);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aWallClockThatIsSetBackDoesNotProlongALease(Engine engine) {
		RedLock locks = open(engine);
		Lease lease = acquire(locks);
		this.time.wallClockIsSet(Duration.ofHours(-1));
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9898));
		this.time.monotonicPasses(Duration.ofMillis(9898));
		assertThat(lease.remaining()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aWallClockThatIsSetAheadEndsNoWait(Engine engine) throws Exception {
		RedLock locks = open(engine);
		Lease held = acquire(locks);
		CompletableFuture<String> waits = locks
			.withLock(NAME, LockOptions.of(LEASE, BOUND), (lease) -> Mono.just("had it"))
			.toFuture();
		this.time.wallClockIsSet(BOUND.multipliedBy(2));
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> waits.get(1, TimeUnit.SECONDS));
		held.release().block(BOUND);
		assertThat(waits.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo("had it");
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aBodyOfAProcessThatWasStoppedPastTheLeaseHasNoResult(Engine engine) {
		RedLock locks = open(engine);
		for (BiConsumer<TestTime, Duration> clock : CLOCKS) {
			StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.fromSupplier(() -> {
				clock.accept(this.time, Duration.ofSeconds(1));
				return "in time";
			}))).expectNext("in time").verifyComplete();
			StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.fromSupplier(() -> {
				clock.accept(this.time, LEASE);
				return "too late";
			}))).verifyError(LeaseExpired.class);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aBodyIsCancelledSoonAfterTheMachineWakesUp(Engine engine) throws InterruptedException {
		RedLock locks = open(engine);
		CountDownLatch running = new CountDownLatch(1);
		Sinks.Empty<String> cancelled = Sinks.empty();
		Mono<String> work = Mono.<String>never()
			.doOnSubscribe((subscription) -> running.countDown())
			.doOnCancel(cancelled::tryEmitEmpty);
		StepVerifier verifier = StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> work))
			.expectError(LeaseExpired.class)
			.verifyLater();
		assertThat(running.await(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
		this.time.wallClockIsSet(LEASE);
		assertThat(verifier.verify(BOUND)).isLessThan(LEASE.dividedBy(2));
		cancelled.asMono().block(BOUND);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void votesThatTookTooLongDoNotCount(Engine engine) {
		Duration[] step = { Duration.ofMillis(1) };
		TimeSource slow = () -> {
			this.time.pass(step[0]);
			return this.time.now();
		};
		RedLock locks = TestNodes
			.awaitAllUp(this.nodes.open(this.nodes.settings(engine), FenceRegister.NONE, LockListener.NONE, slow));
		assertThat(locks.tryAcquire(NAME, AT_ONCE).flatMap((lease) -> lease.release().thenReturn(true)).block(BOUND))
			.isTrue();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		step[0] = LEASE;
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE)).verifyError(NoQuorum.class);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLeaseThatIsOverBeforeItsClaimClaimsNothing(Engine engine) {
		AtomicInteger claims = new AtomicInteger();
		FenceRegister fence = TestFences.claiming((lease) -> Mono.fromRunnable(claims::incrementAndGet));
		LockListener stops = new LockListener() {
			@Override
			public void onAttempt(LockAttempt attempt) {
				LeaseTimeTests.this.time.pass(LEASE);
			}
		};
		RedLock locks = TestNodes.awaitAllUp(this.nodes.open(this.nodes.settings(engine), fence, stops, this.time));
		StepVerifier.create(locks.tryAcquire(NAME, AT_ONCE)).verifyError(LeaseExpired.class);
		assertThat(claims).as("an owner after this one would lose its own claim").hasValue(0);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aBodyThatGetsAThreadAfterItsLeaseDoesNotBegin(Engine engine) throws InterruptedException {
		RecordingListener heard = new RecordingListener();
		RedLock locks = TestNodes
			.awaitAllUp(this.nodes.open(this.nodes.settings(engine), FenceRegister.NONE, heard, this.time));
		int others = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
		CountDownLatch begun = new CountDownLatch(others);
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger late = new AtomicInteger();
		LockOptions patient = LockOptions.of(LEASE, BOUND);
		Disposable busy = Flux.range(0, others)
			.flatMap((job) -> locks.withLock("job:{" + job + "}", patient, (lease) -> Mono.fromCallable(() -> {
				begun.countDown();
				return end.await(2 * BOUND.toMillis(), TimeUnit.MILLISECONDS);
			})).onErrorComplete(), others)
			.subscribe();
		try {
			assertThat(begun.await(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
			CompletableFuture<Integer> queued = locks
				.withLock(NAME, patient, (lease) -> Mono.fromCallable(late::incrementAndGet))
				.toFuture();
			TestNodes.await().until(() -> heard.events.contains("ACQUIRED " + NAME));
			this.time.pass(LEASE);
			end.countDown();
			assertThat(queued).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LeaseExpired.class);
			assertThat(late).hasValue(0);
		}
		finally {
			end.countDown();
			busy.dispose();
		}
	}

}
