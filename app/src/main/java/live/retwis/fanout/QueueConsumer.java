package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

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

	/** Tries of an item that fails although the data node answers. */
	private static final int TRIES = 5;

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LAST_RETRY = Duration.ofSeconds(2);

	/** How long an item fails before it is left for later. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final WorkQueue<T> queue;

	private final Function<T, Mono<Void>> work;

	/** The function for items that may have been processed in part before. */
	private final Function<T, Mono<Void>> resume;

	private final int concurrency;

	private final Duration claimEvery;

	/** Ids of items that this instance was handed and has not finished. */
	private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean answerLost = new AtomicBoolean();

	/**
	 * Processes a queue.
	 * @param concurrency most items at once, and as many of those that were abandoned
	 * @param claimEvery how often claims are renewed and abandoned items are looked for
	 */
	QueueConsumer(WorkQueue<T> queue, Function<T, Mono<Void>> work, Function<T, Mono<Void>> resume, int concurrency,
			Duration claimEvery) {
		this.queue = queue;
		this.work = work;
		this.resume = resume;
		this.concurrency = concurrency;
		this.claimEvery = claimEvery;
	}

	/** Processes items until cancelled. Each wake-up makes it look for more. */
	Flux<Void> run(Flux<?> wakeUps) {
		Flux<Item<T>> fresh = wakeUps.onBackpressureLatest().concatMap((wake) -> items(next()), 1);
		Flux<Item<T>> abandoned = Flux.interval(this.claimEvery)
			.onBackpressureDrop()
			.concatMap((tick) -> items(this.queue.abandoned().map((taken) -> new Batch<>(taken, true))), 1);
		Flux<Void> claims = Flux.interval(this.claimEvery)
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
	 * when all items of the one before are passed on. Items in progress are left out:
	 * they count as abandoned when their claims could not be renewed. But one that is
	 * handed out as new once more is processed once more, because a fail-over has lost
	 * the delivery, and may have lost what was written since.
	 */
	private Flux<Item<T>> items(Mono<Batch<T>> batch) {
		AtomicBoolean more = new AtomicBoolean();
		return batch.doOnNext((taken) -> more.set(!taken.work().isEmpty()))
			.flatMapIterable((taken) -> taken.work()
				.stream()
				.filter((some) -> this.inProgress.add(this.queue.id(some)) || !taken.begun())
				.map((some) -> new Item<>(some, taken.begun()))
				.toList())
			.repeat(more::get)
			.onErrorResume((error) -> {
				log.debug("Fan-out waits: {}", RedisErrorClassifier.reason(error).toString());
				return Flux.empty();
			});
	}

	private Flux<Void> process(Flux<Item<T>> items) {
		return items.flatMap((item) -> process(item.work(), item.begun())
			.doFinally((end) -> this.inProgress.remove(this.queue.id(item.work()))), this.concurrency, 1);
	}

	private Mono<Void> process(T taken, boolean begun) {
		AtomicBoolean again = new AtomicBoolean(begun);
		AtomicLong failing = new AtomicLong();
		Mono<Void> done = Mono.defer(() -> (again.getAndSet(true) ? this.resume : this.work).apply(taken))
			.then(Mono.defer(() -> this.queue.done(taken)));
		Retry whileAway = Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.filter(RedisErrorClassifier::isAway);
		Retry fewTimes = Retry.backoff(TRIES - 1, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.onRetryExhaustedThrow((tries, last) -> last.failure());
		return done.onErrorResume(RedisErrorClassifier::isAway, (error) -> leaveOrFail(taken, failing, error))
			.retryWhen(whileAway)
			.retryWhen(fewTimes)
			.onErrorResume((error) -> {
				log.error("{} cannot be done and is put aside", taken, error);
				return this.queue.moveToDeadLetters(taken, error);
			})
			.onErrorResume((error) -> {
				log.debug("{} waits until it counts as abandoned: {}", taken, error.toString());
				return Mono.empty();
			});
	}

	/**
	 * Leaves an item for later when only the node that it needs is away, or is full.
	 * While the node of the queue is away, too, items are kept, and go on as soon as it
	 * is back.
	 * @param failing since when the item fails although the node of the queue answers, by
	 * {@link System#nanoTime()}; 0 when it does not
	 */
	private Mono<Void> leaveOrFail(T taken, AtomicLong failing, Throwable error) {
		long since = failing.get();
		boolean patient = since == 0 || System.nanoTime() - since < PATIENCE.toNanos();
		Mono<Void> asked = patient ? this.queue.renew(List.of(this.queue.id(taken))) : this.queue.leave(taken);
		return asked.onErrorResume((other) -> {
			failing.set(0);
			return Mono.error(error);
		}).then(Mono.defer(() -> {
			failing.compareAndSet(0, System.nanoTime());
			return patient ? Mono.error(error) : Mono.empty();
		}));
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
