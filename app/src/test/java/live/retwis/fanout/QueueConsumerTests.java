package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.lettuce.core.RedisCommandTimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class QueueConsumerTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final Duration CLAIM_EVERY = Duration.ofMillis(50);

	/** Longer than an item that fails is kept. */
	private static final Duration AWAY = Duration.ofSeconds(3);

	private final Queue queue = new Queue();

	private final List<String> worked = new CopyOnWriteArrayList<>();

	private QueueConsumer<String> consumer(Function<String, Mono<Void>> work, Function<String, Mono<Void>> resume,
			int concurrency) {
		return new QueueConsumer<>(this.queue, work, resume, concurrency, CLAIM_EVERY);
	}

	private void until(int done, QueueConsumer<String> queueConsumer) {
		Disposable running = running(queueConsumer);
		try {
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> this.queue.done.size() + this.queue.deadLetters.size() == done);
		}
		finally {
			running.dispose();
		}
	}

	private Mono<Void> work(String name) {
		this.worked.add(name);
		return Mono.empty();
	}

	private Mono<Void> resume(String name) {
		return work(name + " once more");
	}

	private static Mono<Void> fail(AtomicInteger tries) {
		tries.incrementAndGet();
		return Mono.error(new IllegalStateException("not yet"));
	}

	private static Mono<Void> never() {
		return Mono.error(new IllegalStateException("never"));
	}

	private static Mono<Void> away() {
		return Mono.error(new RedisCommandTimeoutException());
	}

	@Test
	void entriesWhoseDeliveryWasLostAreProcessedSoon() {
		this.queue.waiting.addAll(List.of("a", "b", "c"));
		this.queue.lost = 1;
		until(3, consumer(this::work, this::resume, 2));
		assertThat(this.worked).containsExactlyInAnyOrder("a once more", "b once more", "c once more");
		assertThat(this.queue.done).containsExactlyInAnyOrder("a", "b", "c");
	}

	@Test
	void anEntryInProgressIsNotTakenAgainWhenAnAnswerIsLost() {
		this.queue.waiting.add("a");
		this.queue.lost = 2;
		TestPublisher<Void> slow = TestPublisher.create();
		Disposable running = running(consumer((name) -> work(name).then(slow.mono()), this::resume, 2));
		Awaitility.await().atMost(BOUND).until(() -> this.queue.answers.get() > 4);
		slow.complete();
		Awaitility.await().atMost(BOUND).until(() -> this.queue.done.contains("a"));
		running.dispose();
		assertThat(this.worked).containsExactly("a");
	}

	@Test
	void aSlowEntryDoesNotStopThoseThatComeLater() {
		this.queue.waiting.addAll(List.of("slow", "first"));
		Disposable running = running(
				consumer((name) -> name.equals("slow") ? Mono.never() : work(name), this::resume, 2));
		Awaitility.await().atMost(BOUND).until(() -> this.queue.done.contains("first"));
		this.queue.waiting.add("later");
		Awaitility.await().atMost(BOUND).until(() -> this.queue.done.contains("later"));
		running.dispose();
	}

	@Test
	@Tag("slow")
	void anEntryWhoseNodeIsAwayIsLeftForLater() {
		this.queue.waiting.addAll(List.of("away", "there"));
		until(1, consumer((name) -> name.equals("away") ? away() : work(name), (name) -> away(), 1));
		assertThat(this.queue.done).containsExactly("there");
		assertThat(this.queue.left).containsExactly("away");
	}

	private Disposable running(QueueConsumer<String> queueConsumer) {
		return queueConsumer.run(Flux.interval(Duration.ZERO, Duration.ofMillis(10))).subscribe();
	}

	@Test
	void anEntryThatFailsForAMomentIsTriedAgainAndNotLeft() {
		this.queue.waiting.addAll(List.of("a", "b", "c"));
		AtomicInteger failures = new AtomicInteger();
		until(3, consumer((name) -> away(), (name) -> (failures.getAndIncrement() % 3 < 2) ? away() : resume(name), 1));
		assertThat(this.worked).containsExactly("a once more", "b once more", "c once more");
		assertThat(this.queue.left).isEmpty();
	}

	@Test
	@Tag("slow")
	void noEntryIsLeftWhileTheNodeOfTheQueueIsAwayToo() {
		this.queue.waiting.add("a");
		this.queue.away.set(true);
		long began = System.nanoTime();
		until(1, consumer((name) -> away(), (name) -> {
			this.queue.away.set(System.nanoTime() - began < AWAY.toNanos());
			return this.queue.away.get() ? away() : resume(name);
		}, 1));
		assertThat(this.worked).containsExactly("a once more");
		assertThat(this.queue.left).isEmpty();
	}

	@Test
	void anEntryInProgressThatIsHandedOutAsNewAfterAFailOverIsProcessedOnceMore() {
		this.queue.waiting.add("a");
		TestPublisher<Void> slow = TestPublisher.create();
		Disposable running = running(consumer((name) -> work(name).then(slow.mono()), this::resume, 2));
		Awaitility.await().atMost(BOUND).until(slow::wasSubscribed);
		this.queue.waiting.add("a");
		Awaitility.await().atMost(BOUND).until(() -> this.worked.size() == 2);
		running.dispose();
		assertThat(this.worked).containsExactly("a", "a");
	}

	@Test
	void anEntryInProgressIsNotTakenAgainWhenItCountsAsAbandoned() {
		this.queue.waiting.add("a");
		TestPublisher<Void> slow = TestPublisher.create();
		Disposable running = running(consumer((name) -> work(name).then(slow.mono()), this::resume, 2));
		Awaitility.await().atMost(BOUND).until(slow::wasSubscribed);
		this.queue.abandoned.add("a");
		Awaitility.await().atMost(BOUND).until(this.queue.abandoned::isEmpty);
		slow.complete();
		Awaitility.await().atMost(BOUND).until(() -> this.queue.done.contains("a"));
		running.dispose();
		assertThat(this.worked).containsExactly("a");
	}

	@Test
	void entriesOfADeadInstanceAreResumed() {
		this.queue.abandoned.add("a");
		until(1, consumer(this::work, this::resume, 1));
		assertThat(this.worked).containsExactly("a once more");
	}

	@Test
	void anEntryThatFailsForAWhileIsTriedAgain() {
		this.queue.waiting.add("a");
		AtomicInteger tries = new AtomicInteger();
		until(1, consumer((name) -> fail(tries), (name) -> (tries.get() < 3) ? fail(tries) : resume(name), 1));
		assertThat(this.queue.done).containsExactly("a");
		assertThat(this.worked).as("the first try may have done a part").containsExactly("a once more");
		assertThat(tries).hasValue(3);
	}

	@Test
	void anEntryThatAlwaysFailsIsPutAsideWithItsErrorAndTheRestContinues() {
		this.queue.waiting.addAll(List.of("bad", "good"));
		until(2, consumer((name) -> name.equals("bad") ? never() : work(name), (name) -> never(), 1));
		assertThat(this.queue.done).containsExactly("good");
		assertThat(this.queue.deadLetters).containsExactly("bad: never");
	}

	@Test
	void anEmptyQueueWaitsForWork() {
		StepVerifier.create(consumer(this::work, this::resume, 1).run(Flux.just("wake")))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(100))
			.then(() -> assertThat(this.queue.answers).hasValue(1))
			.thenCancel()
			.verify(BOUND);
		assertThat(this.worked).isEmpty();
	}

	@Test
	void anErrorInOurOwnCodeStartsAnotherRound() {
		this.queue.waiting.add("a");
		AtomicInteger rounds = new AtomicInteger();
		Flux<String> wakeUps = Flux.defer(() -> (rounds.incrementAndGet() == 1)
				? Flux.error(new IllegalStateException("made by a test")) : Flux.just("wake"));
		StepVerifier.create(consumer(this::work, this::resume, 1).run(wakeUps))
			.expectSubscription()
			.then(() -> Awaitility.await().atMost(BOUND).until(() -> this.queue.done.contains("a")))
			.thenCancel()
			.verify(BOUND);
		assertThat(rounds).hasValue(2);
	}

	@Test
	void cancellingStopsTheEntryInProgressAndLeavesItToOthers() {
		this.queue.waiting.add("a");
		TestPublisher<Void> slow = TestPublisher.create();
		StepVerifier.create(consumer((name) -> slow.mono(), this::resume, 1).run(Flux.just("wake")))
			.expectSubscription()
			.then(() -> Awaitility.await().atMost(BOUND).until(slow::wasSubscribed))
			.thenCancel()
			.verify(BOUND);
		slow.assertCancelled();
		assertThat(this.queue.done).isEmpty();
		assertThat(this.queue.handed).containsExactly("a");
	}

	/** Hands out all entries at once. */
	private static final class Queue implements WorkQueue<String> {

		private final List<String> waiting = new CopyOnWriteArrayList<>();

		private final List<String> handed = new CopyOnWriteArrayList<>();

		private final List<String> abandoned = new CopyOnWriteArrayList<>();

		private final List<String> done = new CopyOnWriteArrayList<>();

		private final List<String> deadLetters = new CopyOnWriteArrayList<>();

		private final List<String> left = new CopyOnWriteArrayList<>();

		private final AtomicInteger answers = new AtomicInteger();

		/** Number of the answer that does not arrive, from 1; 0 for none. */
		private volatile int lost;

		/** Whether claims can be neither renewed nor moved. */
		private final AtomicBoolean away = new AtomicBoolean();

		@Override
		public Mono<List<String>> next() {
			return Mono.defer(() -> {
				List<String> taken = new ArrayList<>(this.waiting);
				this.waiting.clear();
				this.handed.addAll(taken);
				return (this.answers.incrementAndGet() == this.lost) ? Mono.error(new RedisCommandTimeoutException())
						: Mono.just(taken);
			});
		}

		@Override
		public Mono<List<String>> pending() {
			return Mono.fromSupplier(() -> List.copyOf(this.handed));
		}

		@Override
		public Mono<List<String>> abandoned() {
			return Mono.fromSupplier(() -> {
				List<String> taken = List.copyOf(this.abandoned);
				this.abandoned.clear();
				return taken;
			});
		}

		@Override
		public String id(String work) {
			return work;
		}

		@Override
		public Mono<Void> done(String work) {
			return Mono.fromRunnable(() -> {
				this.handed.remove(work);
				this.done.add(work);
			});
		}

		@Override
		public Mono<Void> moveToDeadLetters(String work, Throwable error) {
			return Mono.fromRunnable(() -> {
				this.handed.remove(work);
				this.deadLetters.add(work + ": " + error.getMessage());
			});
		}

		@Override
		public Mono<Void> leave(String work) {
			return Mono.fromRunnable(() -> {
				if (this.away.get()) {
					throw new RedisCommandTimeoutException();
				}
				this.handed.remove(work);
				this.left.add(work);
			});
		}

		@Override
		public Mono<Void> renew(Collection<String> ids) {
			return Mono.defer(() -> this.away.get() ? QueueConsumerTests.away() : Mono.empty());
		}

		@Override
		public Mono<Void> dropConsumers() {
			return Mono.empty();
		}

	}

}
