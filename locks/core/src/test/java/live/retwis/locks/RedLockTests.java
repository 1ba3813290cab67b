package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks over five healthy nodes.
 */
class RedLockTests extends FiveNodes {

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aLeaseIsAKeyOnEveryNodeUntilItIsReleased(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		assertThat(lease.resource()).isEqualTo(NAME);
		assertThat(lease.owner()).matches("[0-9a-f]{32}");
		TestNodes.await().untilAsserted(() -> {
			assertThat(lease.outcomes().values()).hasSize(5).containsOnly(NodeOutcome.ACQUIRED);
			assertThat(this.nodes.owners(NAME)).containsOnly(lease.owner());
		});
		assertThat(this.nodes.millisToLive(1, NAME)).isBetween(5000L, 10_000L);
		lease.release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void theValidityIsShorterThanTheLeaseByTheDrift(Engine engine) {
		TestTime time = new TestTime();
		RedLock locks = TestNodes
			.awaitAllUp(this.nodes.open(this.nodes.settings(engine), FenceRegister.NONE, LockListener.NONE, time));
		Lease lease = acquire(locks);
		assertThat(lease.remaining()).isEqualTo(LEASE.minus(Duration.ofMillis(102)));
		assertThat(lease.validUntil().toEpochMilli()).isEqualTo(time.now().millis() + 9898);
		lease.release().block(BOUND);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void anotherCallerFindsTheLockTakenAndDoesNotChangeIt(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		assertThat(locks.tryAcquire(NAME, AT_ONCE).blockOptional(BOUND)).isEmpty();
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (other) -> Mono.just("never")))
			.verifyErrorSatisfies((error) -> assertThat(error).isInstanceOf(LockTaken.class)
				.hasMessage("The lock on " + NAME + " is taken"));
		TestNodes.await().untilAsserted(() -> assertThat(this.nodes.owners(NAME)).containsOnly(lease.owner()));
		assertThat(locks.tryAcquire("username:{bob}", AT_ONCE).blockOptional(BOUND)).isPresent();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void theOtherEngineFindsTheLockTakenToo(Engine engine) {
		Lease lease = acquire(this.nodes.open(engine));
		RedLock other = this.nodes.open((engine == Engine.REDISSON) ? Engine.PARALLEL : Engine.REDISSON);
		assertThat(other.tryAcquire(NAME, AT_ONCE).blockOptional(BOUND)).isEmpty();
		lease.release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		assertThat(other.tryAcquire(NAME, AT_ONCE).blockOptional(BOUND)).isPresent();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aMajorityRefusesTheLockEvenIfTwoNodesGrantIt(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		for (int number = 1; number <= 3; number++) {
			this.nodes.ask(number, "HSET lock:" + NAME + " another 1");
		}
		assertThat(locks.tryAcquire(NAME, AT_ONCE).blockOptional(BOUND)).isEmpty();
		TestNodes.await()
			.untilAsserted(
					() -> assertThat(this.nodes.owners(NAME)).containsExactly("another", "another", "another", "", ""));
		this.nodes.ask(3, "DEL lock:" + NAME);
		Lease lease = acquire(locks);
		assertThat(lease.outcomes().values()).filteredOn(NodeOutcome.ACQUIRED::equals).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void waitsUntilTheLockIsFree(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lease = acquire(locks);
		StepVerifier.create(locks.withLock(NAME, LockOptions.of(LEASE, BOUND), (next) -> Mono.just(next.owner())))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(100))
			.then(() -> lease.release().subscribe())
			.assertNext((owner) -> assertThat(owner).isNotEqualTo(lease.owner()))
			.expectComplete()
			.verify(BOUND);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void theLockIsReportedAsTakenAfterTheWait(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		acquire(locks);
		Duration wait = Duration.ofSeconds(2);
		Duration elapsed = StepVerifier
			.create(locks.withLock(NAME, LockOptions.of(LEASE, wait), (next) -> Mono.just("never")))
			.expectError(LockTaken.class)
			.verify(BOUND);
		assertThat(elapsed).isBetween(wait.dividedBy(2), wait.multipliedBy(2));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void manyCallersLoseNoIncrement(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		AtomicInteger counter = new AtomicInteger();
		AtomicInteger inside = new AtomicInteger();
		List<Integer> together = new CopyOnWriteArrayList<>();
		Flux.range(0, 50)
			.flatMap((caller) -> locks.withLock(NAME, LockOptions.of(LEASE, Duration.ofSeconds(30)), (lease) -> {
				together.add(inside.incrementAndGet());
				int read = counter.get();
				return Mono.delay(Duration.ofMillis(1)).map((tick) -> {
					counter.set(read + 1);
					return inside.decrementAndGet();
				});
			}).subscribeOn(Schedulers.parallel()), 16)
			.blockLast(Duration.ofSeconds(30));
		assertThat(together).hasSize(50).containsOnly(1);
		assertThat(counter).hasValue(50);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void theResultOfTheBodyIsPassedOnAndTheLockIsReleased(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just("done")))
			.expectNext("done")
			.verifyComplete();
		assertThat(acquireAndRelease(locks)).isTrue();
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.empty())).verifyComplete();
		assertThat(acquireAndRelease(locks)).isTrue();
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.error(new IllegalStateException("mine"))))
			.verifyErrorMessage("mine");
		assertThat(acquireAndRelease(locks)).isTrue();
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> {
			throw new IllegalStateException("thrown");
		})).verifyErrorMessage("thrown");
		assertThat(acquireAndRelease(locks)).isTrue();
	}

	private static boolean acquireAndRelease(RedLock locks) {
		return locks.tryAcquire(NAME, AT_ONCE)
			.flatMap((lease) -> lease.release().thenReturn(true))
			.blockOptional(BOUND)
			.isPresent();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aBodyRunsNeitherOnAThreadOfTheNodesNorOfTheFenceNorOfItsCaller(Engine engine) {
		ExecutorService store = Executors.newSingleThreadExecutor();
		try {
			FenceRegister fence = TestFences.claiming((lease) -> Mono.fromFuture(CompletableFuture.runAsync(() -> {
			}, store)));
			for (RedLock locks : List.of(this.nodes.open(engine), this.nodes.open(engine, fence, LockListener.NONE))) {
				String thread = locks
					.withLock(NAME, AT_ONCE, (lease) -> Mono.fromSupplier(() -> Thread.currentThread().getName()))
					.block(BOUND);
				assertThat(thread).startsWith("lock-bodies");
			}
		}
		finally {
			store.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void bodiesThatBlockHoldNobodyElseUp(Engine engine) throws InterruptedException {
		RedLock locks = TestNodes.awaitAllUp(this.nodes.open(engine));
		LockOptions patient = LockOptions.of(BOUND.multipliedBy(2), BOUND);
		Lease taken = acquire(locks);
		int more = 2 * Runtime.getRuntime().availableProcessors();
		CountDownLatch begun = new CountDownLatch(more);
		CountDownLatch end = new CountDownLatch(1);
		Disposable blocked = Flux.range(0, more)
			.flatMap((job) -> locks.withLock("job:{" + job + "}", patient, (lease) -> Mono.fromCallable(() -> {
				begun.countDown();
				return end.await(BOUND.toMillis(), TimeUnit.MILLISECONDS);
			})))
			.subscribe();
		try {
			assertThat(begun.await(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
			LockOptions brief = LockOptions.of(LEASE, Duration.ofMillis(300));
			StepVerifier.create(locks.withLock(NAME, brief, (lease) -> Mono.just("never")))
				.expectError(LockTaken.class)
				.verify(Duration.ofSeconds(5));
		}
		finally {
			end.countDown();
			blocked.dispose();
			taken.release().block(BOUND);
		}
	}

	/**
	 * What is there must not keep a program from ending. A thread of Netty that is no
	 * daemon ends when it has had nothing to do for a second.
	 */
	@ParameterizedTest
	@EnumSource(Engine.class)
	void closedLocksLeaveNoThreadThatIsNoDaemon(Engine engine) throws InterruptedException {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		RedLock locks = this.nodes.open(engine);
		locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just("done")).block(BOUND);
		locks.close().block(BOUND);
		for (Thread thread : Thread.getAllStackTraces().keySet()) {
			if (!thread.isDaemon() && !before.contains(thread)) {
				thread.join(BOUND.toMillis());
				assertThat(thread.isAlive()).as(thread.getName()).isFalse();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void anErrorOfAListenerHoldsNobodyUp(Engine engine) {
		RedLock locks = this.nodes.open(engine, FenceRegister.NONE, new LockListener() {
			@Override
			public void onRelease(String resource, int nodes, Duration elapsed) {
				throw new AssertionError("a listener's own mistake");
			}
		});
		for (int time = 0; time < 2; time++) {
			StepVerifier
				.create(locks.withLock(NAME, LockOptions.of(LEASE, Duration.ofSeconds(1)),
						(lease) -> Mono.just("done")))
				.expectNext("done")
				.expectComplete()
				.verify(BOUND);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aBodyThatThrowsAnErrorGivesTheLockBackAndTheErrorOn(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> {
			throw new NoClassDefFoundError("mine");
		})).expectError(NoClassDefFoundError.class).verify(Duration.ofSeconds(5));
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void closedLocksSayThatTheirNodesCannotBeAsked(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(this.nodes.open(engine));
		locks.close().block(BOUND);
		assertThat(locks.nodes()).noneMatch(NodeState::isUp);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void closesWhileEveryThreadForBlockingWorkIsBusy(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(this.nodes.open(engine));
		CountDownLatch end = new CountDownLatch(1);
		Disposable busy = Flux.range(0, Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE)
			.flatMap((job) -> Mono.fromCallable(() -> end.await(2 * BOUND.toMillis(), TimeUnit.MILLISECONDS))
				.subscribeOn(Schedulers.boundedElastic()))
			.subscribe();
		try {
			locks.close().block(BOUND);
		}
		finally {
			end.countDown();
			busy.dispose();
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aBodyThatOutlivesItsLeaseIsCancelled(Engine engine) {
		RecordingListener heard = new RecordingListener();
		RedLock locks = this.nodes.open(engine, FenceRegister.NONE, heard);
		AtomicInteger cancelled = new AtomicInteger();
		Duration brief = Duration.ofSeconds(2);
		LockOptions shortLease = LockOptions.of(brief, Duration.ZERO);
		Duration elapsed = StepVerifier
			.create(locks.withLock(NAME, shortLease, (lease) -> Mono.never().doOnCancel(cancelled::incrementAndGet)))
			.expectErrorMessage("The lease on " + NAME + " is over")
			.verify(BOUND);
		assertThat(elapsed).isBetween(brief.dividedBy(2), brief.multipliedBy(2));
		TestNodes.await().untilAsserted(() -> assertThat(cancelled).hasValue(1));
		assertThat(heard.events).contains("expired " + NAME);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aListenerReceivesEachStepAndItsErrorsChangeNothing(Engine engine) {
		RecordingListener heard = new RecordingListener();
		RedLock locks = this.nodes.open(engine, FenceRegister.NONE, heard);
		Lease lease = acquire(locks);
		locks.tryAcquire(NAME, AT_ONCE).block(BOUND);
		lease.extend().block(BOUND);
		lease.release().block(BOUND);
		assertThat(heard.events).containsExactly("ACQUIRED " + NAME, "TAKEN " + NAME, "extended " + NAME,
				"released " + NAME);
		assertThat(heard.attempts.get(0).outcomes())
			.containsOnlyKeys(locks.nodes().stream().map(NodeState::name).toList());
		assertThat(heard.attempts.get(0).elapsed()).isPositive();

		RedLock throwing = this.nodes.open(engine, FenceRegister.NONE, new LockListener() {
			@Override
			public void onAttempt(LockAttempt attempt) {
				throw new IllegalStateException("a listener's own mistake");
			}
		});
		StepVerifier.create(throwing.withLock(NAME, AT_ONCE, (next) -> Mono.just("done")))
			.expectNext("done")
			.verifyComplete();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void closingWaitsForReleasesAndGrantsNoMoreLocks(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		CompletableFuture<Lease> granted = new CompletableFuture<>();
		Disposable held = locks.withLock(NAME, AT_ONCE, (lease) -> {
			granted.complete(lease);
			return Mono.never();
		}).subscribe();
		assertThat(granted).succeedsWithin(BOUND);
		locks.withLock("user:{1}", AT_ONCE, (lease) -> Mono.never()).subscribe().dispose();
		locks.close().block(BOUND);
		assertThat(this.nodes.areFree("user:{1}")).isTrue();
		assertThat(this.nodes.areFree(NAME)).isFalse();
		held.dispose();
		StepVerifier.create(locks.withLock("user:{2}", AT_ONCE, (lease) -> Mono.just(1)))
			.verifyErrorMessage("The locks are closed");
		StepVerifier.create(locks.tryAcquire("user:{2}", AT_ONCE)).verifyErrorMessage("The locks are closed");
	}

}
