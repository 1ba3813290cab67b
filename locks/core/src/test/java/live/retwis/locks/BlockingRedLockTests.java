package live.retwis.locks;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Locks for programs without Reactor, over five healthy nodes. The lease is much longer
 * than the test. So if a key is gone, it was released.
 */
class BlockingRedLockTests extends FiveNodes {

	private final RecordingListener heard = new RecordingListener();

	private final ExecutorService caller = Executors.newSingleThreadExecutor();

	private BlockingRedLock locks(FenceRegister fence) {
		return new BlockingRedLock(this.nodes.open(Engine.REDISSON, fence, this.heard));
	}

	private BlockingRedLock locks() {
		return locks(FenceRegister.NONE);
	}

	private void awaitFree() {
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	/**
	 * Interrupts a call as soon as the condition holds.
	 * @return what the call threw; null if nothing
	 */
	private @Nullable Throwable interrupted(Callable<?> call, Callable<Boolean> soFar) throws Exception {
		Future<?> result = this.caller.submit(call);
		TestNodes.await().until(soFar);
		this.caller.shutdownNow();
		try {
			return new AssertionError("Returned " + result.get(BOUND.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
	}

	@AfterEach
	void endCaller() {
		this.caller.shutdownNow();
	}

	@Test
	void returnsWhatTheBodyReturnsOnTheThreadOfTheCaller() throws InterruptedException {
		Thread thread = locks().withLock(NAME, AT_ONCE, (lease) -> {
			assertThat(this.nodes.owners(NAME)).contains(lease.owner());
			assertThat(lease.resource()).isEqualTo(NAME);
			assertThat(lease.remaining()).isBetween(Duration.ofMillis(1), LEASE);
			return Thread.currentThread();
		});
		assertThat(thread).isSameAs(Thread.currentThread());
		assertThat(this.heard.events).containsExactly("ACQUIRED " + NAME, "released " + NAME);
		awaitFree();
	}

	@Test
	void callersOnEveryThreadForBlockingWorkGetTheirLocks() {
		BlockingRedLock locks = locks();
		int callers = 2 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
		StepVerifier
			.create(Flux.range(0, callers)
				.flatMap((job) -> Mono
					.fromCallable(
							() -> locks.withLock("job:{" + job + "}", LockOptions.of(LEASE, BOUND), (lease) -> job))
					.subscribeOn(Schedulers.boundedElastic()), callers))
			.expectNextCount(callers)
			.expectComplete()
			.verify(LEASE.plus(BOUND));
	}

	@Test
	void aBlockingCallerNeedsNoThreadOfTheBodies() throws InterruptedException {
		RedLock reactive = this.nodes.open(Engine.PARALLEL);
		BlockingRedLock locks = new BlockingRedLock(reactive);
		int bodies = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
		CountDownLatch begun = new CountDownLatch(bodies);
		CountDownLatch end = new CountDownLatch(1);
		Disposable busy = Flux.range(0, bodies)
			.flatMap((job) -> reactive
				.withLock("job:{" + job + "}", LockOptions.of(LEASE, BOUND), (lease) -> Mono.fromCallable(() -> {
					begun.countDown();
					return end.await(BOUND.toMillis(), TimeUnit.MILLISECONDS);
				}))
				.onErrorComplete(), bodies)
			.subscribe();
		try {
			assertThat(begun.await(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
			assertThat(CompletableFuture.supplyAsync(() -> {
				try {
					return locks.withLock(NAME, AT_ONCE, (lease) -> "done");
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			})).succeedsWithin(LEASE.dividedBy(2)).isEqualTo("done");
		}
		finally {
			end.countDown();
			busy.dispose();
		}
	}

	@Test
	void aCheckedExceptionOfTheBodyIsThrownAndTheLockIsReleased() {
		BlockingRedLock locks = locks();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> locks.withLock(NAME, AT_ONCE, (lease) -> {
			throw new IOException("mine");
		})).withMessage("mine");
		awaitFree();
	}

	@Test
	void reportsThatAnotherOwnerHasTheLock() throws InterruptedException {
		BlockingRedLock locks = locks();
		try (BlockingLease held = locks.tryAcquire(NAME, AT_ONCE).orElseThrow()) {
			assertThat(locks.tryAcquire(NAME, LockOptions.of(LEASE, BOUND))).isEmpty();
			assertThatExceptionOfType(LockTaken.class)
				.isThrownBy(() -> locks.withLock(NAME, AT_ONCE, (lease) -> "never"));
			assertThat(held.remaining()).isPositive();
		}
	}

	@Test
	void aLeaseIsProlongedAndHeldUntilItIsClosed() throws InterruptedException {
		BlockingLease lease = locks().tryAcquire(NAME, AT_ONCE).orElseThrow();
		assertThat(this.nodes.areFree(NAME)).isFalse();
		lease.extend();
		lease.close();
		lease.close();
		assertThat(lease.remaining()).isZero();
		assertThat(this.heard.events).containsExactly("ACQUIRED " + NAME, "extended " + NAME, "released " + NAME);
		awaitFree();
	}

	@Test
	void aBodyThatIsLongerThanItsLeaseFails() {
		BlockingRedLock locks = locks();
		LockOptions brief = LockOptions.of(Duration.ofSeconds(2), Duration.ZERO);
		assertThatExceptionOfType(LeaseExpired.class).isThrownBy(() -> locks.withLock(NAME, brief, (lease) -> {
			TestNodes.await().until(() -> lease.remaining().isZero());
			return "late";
		}));
		TestNodes.await().untilAsserted(() -> assertThat(this.heard.events).contains("expired " + NAME));
	}

	@Test
	void anInterruptDuringTheWaitLeavesNothingBehind() throws Exception {
		BlockingRedLock locks = locks();
		BlockingLease held = locks.tryAcquire(NAME, AT_ONCE).orElseThrow();
		Throwable outcome = interrupted(
				() -> locks.withLock(NAME, LockOptions.of(LEASE, Duration.ofMinutes(1)), (lease) -> "never"),
				() -> this.heard.attempts.size() >= 3);
		assertThat(outcome).isInstanceOf(InterruptedException.class);
		held.close();
		awaitFree();
		locks.close();
		assertThat(this.nodes.areFree(NAME)).isTrue();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aCallerThatWaitsWhileTheLocksAreClosedFailsAtOnce(Engine engine) throws Exception {
		BlockingRedLock locks = new BlockingRedLock(this.nodes.open(engine, FenceRegister.NONE, this.heard));
		BlockingLease held = locks.tryAcquire(NAME, AT_ONCE).orElseThrow();
		Future<?> waiting = this.caller
			.submit(() -> locks.withLock(NAME, LockOptions.of(LEASE, Duration.ofMinutes(1)), (lease) -> "never"));
		TestNodes.await().until(() -> this.heard.attempts.size() >= 2);
		locks.close();
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> waiting.get(BOUND.toMillis(), TimeUnit.MILLISECONDS))
			.withCauseInstanceOf(IllegalStateException.class);
		assertThat(held.remaining()).isPositive();
	}

	@Test
	void anInterruptDuringTheClaimReleasesTheLock() throws Exception {
		CountDownLatch claims = new CountDownLatch(1);
		BlockingRedLock locks = locks(
				TestFences.claiming((lease) -> Mono.<Void>never().doOnSubscribe((claim) -> claims.countDown())));
		Throwable outcome = interrupted(() -> locks.tryAcquire(NAME, AT_ONCE), () -> claims.getCount() == 0);
		assertThat(outcome).isInstanceOf(InterruptedException.class);
		awaitFree();
	}

	@Test
	void anInterruptOfTheBodyIsThrownAndTheLockIsReleased() throws Exception {
		CountDownLatch body = new CountDownLatch(1);
		BlockingRedLock locks = locks();
		Throwable outcome = interrupted(() -> locks.withLock(NAME, AT_ONCE, (lease) -> {
			body.countDown();
			return new CompletableFuture<String>().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
		}), () -> body.getCount() == 0);
		assertThat(outcome).isInstanceOf(InterruptedException.class);
		awaitFree();
	}

	@Test
	void anErrorOfTheFenceIsThrown() {
		BlockingRedLock locks = locks(
				TestFences.claiming((lease) -> Mono.error(new IllegalArgumentException("no claim"))));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> locks.withLock(NAME, AT_ONCE, (lease) -> "never"))
			.withMessage("no claim");
		awaitFree();
	}

	@Test
	void blocksNoThreadOfReactor() {
		BlockingRedLock locks = locks();
		assertThatIllegalStateException()
			.isThrownBy(() -> Mono.fromCallable(() -> locks.tryAcquire(NAME, AT_ONCE))
				.subscribeOn(Schedulers.parallel())
				.block(BOUND))
			.withMessageContaining("use RedLock there");
	}

}
