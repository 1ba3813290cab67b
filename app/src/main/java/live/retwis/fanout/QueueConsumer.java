package live.retwis.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Processes one queue, several items at once. While the data node is away, it waits and
 * then continues where it was. If only the node that an item needs is away, it leaves the
 * item for later, so that it does not stop the others. An item that fails for another
 * reason is put aside after several tries.
 *
 * @param <T> one item of work
 */
final class QueueConsumer<T> {

	private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);

	private static final Duration CLAIM_EVERY = Duration.ofSeconds(3);

	/** Tries of an item that fails although the data node answers. */
	private static final int TRIES = 5;

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LAST_RETRY = Duration.ofSeconds(2);

	private final WorkQueue<T> queue;

	private final Function<T, Mono<Void>> work;

	/** The function for items that may have been processed in part before. */
	private final Function<T, Mono<Void>> resume;

	private final int concurrency;

	/** How long an item waits for a node before it may be left for later. */
	private final Duration patience;

	/** Ids of items that this instance was handed and has not finished. */
	private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean answerLost = new AtomicBoolean();

	QueueConsumer(WorkQueue<T> queue, Function<T, Mono<Void>> work, Function<T, Mono<Void>> resume, int concurrency,
			Duration patience) {
		this.queue = queue;
		this.work = work;
		this.resume = resume;
		this.concurrency = concurrency;
		this.patience = patience;
	}

	/** Processes items until cancelled. Each wake-up makes it look for more. */
	Flux<Void> run(Flux<?> wakeUps) {
		Flux<Item<T>> fresh = wakeUps.onBackpressureLatest().concatMap((wake) -> items(next()), 1);
		Flux<Item<T>> abandoned = Flux.interval(CLAIM_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> items(this.queue.abandoned().map((taken) -> new Batch<>(taken, true))), 1);
		Flux<Void> claims = Flux.interval(CLAIM_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> Mono.defer(() -> this.queue.renew(List.copyOf(this.inProgress))).onErrorComplete(), 1);
		return Flux.merge(process(fresh), process(abandoned), claims)
			.doFinally((end) -> this.inProgress.clear())
			.retryWhen(again());
	}

	/**
	 * After an error in our own code, the worker starts another round instead of ending.
	 */
	private static Retry again() {
		return Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.doBeforeRetry((signal) -> log.error("Fan-out starts again", signal.failure()));
	}

	/**
	 * Takes the next items. If the answer to an earlier call was lost, the items in it
	 * were handed to this instance, and others would take them over only much later. So
	 * this asks for those items first.
	 */
	private Mono<Batch<T>> next() {
		Mono<Batch<T>> next = this.queue.next()
			.map((taken) -> new Batch<>(taken, false))
			.doOnError((error) -> this.answerLost.set(true));
		return Mono.defer(() -> this.answerLost.get() ? pending().flatMap((left) -> {
			this.answerLost.set(!left.isEmpty());
			return left.isEmpty() ? next : Mono.just(new Batch<>(left, true));
		}) : next);
	}

	private Mono<List<T>> pending() {
		return this.queue.pending()
			.map((all) -> all.stream().filter((some) -> !this.inProgress.contains(this.queue.id(some))).toList());
	}

	/**
	 * Takes one batch after the other until the queue is empty. The next one is taken
	 * when all items of the one before are passed on.
	 */
	private Flux<Item<T>> items(Mono<Batch<T>> batch) {
		AtomicBoolean more = new AtomicBoolean();
		return batch.doOnNext((taken) -> {
			more.set(!taken.work().isEmpty());
			taken.work().forEach((some) -> this.inProgress.add(this.queue.id(some)));
		})
			.flatMapIterable((taken) -> taken.work().stream().map((some) -> new Item<>(some, taken.begun())).toList())
			.repeat(more::get)
			.onErrorResume((error) -> {
				log.debug("Fan-out waits: {}", RedisErrorClassifier.reason(error).toString());
				return Flux.empty();
			});
	}

	private Flux<Void> process(Flux<Item<T>> items) {
		return items.flatMap(
				(item) -> process(item).doFinally((end) -> this.inProgress.remove(this.queue.id(item.work()))),
				this.concurrency, 1);
	}

	private Mono<Void> process(Item<T> item) {
		T taken = item.work();
		AtomicBoolean again = new AtomicBoolean(item.begun());
		Mono<Void> done = Mono.defer(() -> (again.getAndSet(true) ? this.resume : this.work).apply(taken))
			.then(Mono.defer(() -> this.queue.done(taken)));
		Retry whileAway = Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.filter(RedisErrorClassifier::isAway);
		Retry fewTimes = Retry.backoff(TRIES - 1, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.onRetryExhaustedThrow((tries, last) -> last.failure());
		return done.transform(leavingForLater(taken))
			.retryWhen(whileAway)
			.retryWhen(fewTimes)
			.onErrorResume((error) -> {
				log.error("{} cannot be done and is put aside", taken, error);
				return this.queue.moveToDeadLetters(taken, error);
			})
			.onErrorResume((error) -> {
				log.debug("{} waits until it is abandoned: {}", taken, error.toString());
				return Mono.empty();
			});
	}

	/**
	 * Leaves an item that fails twice although the node of the queue answers in between.
	 * So all items are kept while the only data node is away, and go on as soon as it is
	 * back.
	 */
	private UnaryOperator<Mono<Void>> leavingForLater(T taken) {
		Instant impatient = Instant.now().plus(this.patience);
		AtomicBoolean answered = new AtomicBoolean();
		return (done) -> done.onErrorResume((error) -> {
			if (!RedisErrorClassifier.isAway(error) || Instant.now().isBefore(impatient)) {
				return Mono.error(error);
			}
			if (answered.get()) {
				log.debug("{} is left for later: {}", taken, RedisErrorClassifier.reason(error).toString());
				return this.queue.leave(taken);
			}
			return Mono.defer(() -> this.queue.renew(List.of(this.queue.id(taken))))
				.doOnSuccess((nothing) -> answered.set(true))
				.then(Mono.error(error));
		});
	}

	/**
	 * Items that were taken with one call.
	 *
	 * @param begun whether somebody may have begun to process them
	 */
	private record Batch<T>(List<T> work, boolean begun) {
	}

	/**
	 * An item.
	 *
	 * @param begun whether somebody may have begun to process it
	 */
	private record Item<T>(T work, boolean begun) {
	}

}
