package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisCommandTimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

class QueueConsumerTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Queue queue = new Queue();

	private final List<String> worked = new CopyOnWriteArrayList<>();

	private void until(int done, QueueConsumer<String> queueConsumer) {
		Disposable running = queueConsumer.run(Flux.interval(Duration.ZERO, Duration.ofMillis(10))).subscribe();
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

	@Test
	void entriesWhoseDeliveryWasLostAreProcessedSoon() {
		this.queue.waiting.addAll(List.of("a", "b", "c"));
		this.queue.lost = 1;
		until(3, new QueueConsumer<>(this.queue, this::work, this::resume, 2));
		assertThat(this.worked).containsExactlyInAnyOrder("a once more", "b once more", "c once more");
		assertThat(this.queue.done).containsExactlyInAnyOrder("a", "b", "c");
	}

	@Test
	void anEntryInterruptedByALostAnswerIsResumed() {
		this.queue.waiting.add("a");
		this.queue.lost = 2;
		until(1, new QueueConsumer<>(this.queue, (name) -> work(name).then(Mono.never()), this::resume, 1));
		assertThat(this.worked).containsExactly("a", "a once more");
	}

	@Test
	void entriesOfADeadInstanceAreResumed() {
		this.queue.abandoned.add("a");
		until(1, new QueueConsumer<>(this.queue, this::work, this::resume, 1));
		assertThat(this.worked).containsExactly("a once more");
	}

	@Test
	void anEntryThatFailsForAWhileIsTriedAgain() {
		this.queue.waiting.add("a");
		AtomicInteger tries = new AtomicInteger();
		until(1, new QueueConsumer<>(this.queue, (name) -> fail(tries),
				(name) -> (tries.get() < 3) ? fail(tries) : resume(name), 1));
		assertThat(this.queue.done).containsExactly("a");
		assertThat(this.worked).as("the first try may have done a part").containsExactly("a once more");
		assertThat(tries).hasValue(3);
	}

	@Test
	void anEntryThatAlwaysFailsIsPutAsideWithItsErrorAndTheRestContinues() {
		this.queue.waiting.addAll(List.of("bad", "good"));
		until(2, new QueueConsumer<>(this.queue, (name) -> name.equals("bad") ? never() : work(name), (name) -> never(),
				1));
		assertThat(this.queue.done).containsExactly("good");
		assertThat(this.queue.deadLetters).containsExactly("bad: never");
	}

	@Test
	void anEmptyQueueWaitsForWork() {
		StepVerifier.create(new QueueConsumer<>(this.queue, this::work, this::resume, 1).run(Flux.just("wake")))
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
		StepVerifier.create(new QueueConsumer<>(this.queue, this::work, this::resume, 1).run(wakeUps))
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
		StepVerifier
			.create(new QueueConsumer<>(this.queue, (name) -> slow.mono(), this::resume, 1).run(Flux.just("wake")))
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

		private final AtomicInteger answers = new AtomicInteger();

		/** Number of the answer that does not arrive, from 1; 0 for none. */
		private volatile int lost;

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
		public Mono<Void> renew(Collection<String> ids) {
			return Mono.empty();
		}

		@Override
		public Mono<Void> dropConsumers() {
			return Mono.empty();
		}

	}

}
