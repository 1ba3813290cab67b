package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Processes one queue, several items at once. While the data node is away, it waits and
 * then continues where it was. An item that fails for another reason is put aside after
 * several tries.
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

	/** Ids of items that this instance was handed and has not finished. */
	private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean answerLost = new AtomicBoolean();

	QueueConsumer(WorkQueue<T> queue, Function<T, Mono<Void>> work, Function<T, Mono<Void>> resume, int concurrency) {
		this.queue = queue;
		this.work = work;
		this.resume = resume;
		this.concurrency = concurrency;
	}

	/** Processes items until cancelled. Each wake-up makes it look for more. */
	Flux<Void> run(Flux<?> wakeUps) {
		Flux<Void> fresh = wakeUps.onBackpressureLatest().concatMap((wake) -> drain(next()), 1);
		Flux<Void> abandoned = Flux.interval(CLAIM_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> drain(this.queue.abandoned().map((taken) -> new Batch<>(taken, true))), 1);
		Flux<Void> claims = Flux.interval(CLAIM_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> Mono.defer(() -> this.queue.renew(List.copyOf(this.inProgress))).onErrorComplete(), 1);
		return Flux.merge(fresh, abandoned, claims).retryWhen(again());
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
	 * Takes and processes one batch after the other until the queue is empty. If taking a
	 * batch fails, the round ends, and the items of the batch before it are cancelled.
	 */
	private Mono<Void> drain(Mono<Batch<T>> batch) {
		return batch.expand((taken) -> taken.work().isEmpty() ? Mono.empty() : batch)
			.concatMap((taken) -> all(taken.work(), taken.begun()), 0)
			.then()
			.onErrorResume((error) -> {
				log.debug("Fan-out waits: {}", RedisErrorClassifier.reason(error).toString());
				return Mono.empty();
			});
	}

	private Flux<Void> all(List<T> taken, boolean begun) {
		taken.forEach((some) -> this.inProgress.add(this.queue.id(some)));
		return Flux.fromIterable(taken)
			.flatMap((some) -> one(some, begun), this.concurrency)
			.doFinally((end) -> taken.forEach((some) -> this.inProgress.remove(this.queue.id(some))));
	}

	private Mono<Void> one(T taken, boolean begun) {
		AtomicBoolean again = new AtomicBoolean(begun);
		Mono<Void> done = Mono.defer(() -> (again.getAndSet(true) ? this.resume : this.work).apply(taken))
			.then(Mono.defer(() -> this.queue.done(taken)))
			.doOnSuccess((nothing) -> this.inProgress.remove(this.queue.id(taken)));
		Retry whileAway = Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.filter(RedisErrorClassifier::isAway);
		Retry fewTimes = Retry.backoff(TRIES - 1, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.onRetryExhaustedThrow((tries, last) -> last.failure());
		return done.retryWhen(whileAway).retryWhen(fewTimes).onErrorResume((error) -> {
			log.error("{} cannot be done and is put aside", taken, error);
			return this.queue.moveToDeadLetters(taken, error);
		});
	}

	/**
	 * Items that were taken with one call.
	 *
	 * @param begun whether somebody may have begun to process them
	 */
	private record Batch<T>(List<T> work, boolean begun) {
	}

}
