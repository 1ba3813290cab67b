package live.retwis.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Reads what a page shows beside its own content and can do without. It is left out while
 * its node is away, and when another program has damaged its key. It is left out as well
 * when it is not there shortly after the page's own content, because one node of a
 * cluster can be slow while the others are not.
 */
public final class BestEffortReads {

	/**
	 * How much later than the page's own content it may come. Usually both travel in the
	 * same round trip.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(150);

	private final Mono<Long> tooLate;

	private BestEffortReads(Mono<Long> tooLate) {
		this.tooLate = tooLate;
	}

	/**
	 * Reads both at the same time.
	 * @param own reads the page's own content
	 * @param beside reads the rest by means of {@link #read}
	 * @param both makes one value of both
	 * @return empty when one of the two is
	 */
	public static <T, E, R> Mono<R> zip(Mono<T> own, Function<BestEffortReads, Mono<E>> beside,
			BiFunction<T, E, R> both) {
		return Mono.defer(() -> {
			Sinks.Empty<Long> there = Sinks.empty();
			Mono<Long> tooLate = there.asMono().then(Mono.delay(PATIENCE));
			return Mono.zip(beside.apply(new BestEffortReads(tooLate)), own.doOnTerminate(there::tryEmitEmpty),
					(extra, content) -> both.apply(content, extra));
		});
	}

	/**
	 * Joins two reads that have begun.
	 * @param own the page's own content
	 * @param extra the rest
	 * @param without stands for the rest when it cannot be read, or when it comes too
	 * late
	 */
	public static <T, E, R> CompletableFuture<R> join(CompletableFuture<T> own, CompletableFuture<E> extra, E without,
			BiFunction<T, E, R> both) {
		CompletableFuture<E> inTime = extra.exceptionallyCompose((error) -> isLeftOut(error)
				? CompletableFuture.completedFuture(without) : CompletableFuture.failedFuture(error));
		return own.thenCompose((content) -> {
			if (!inTime.isDone()) {
				// Java's own time-out would go on with the pages of all users on one
				// thread.
				Disposable timer = Schedulers.parallel()
					.schedule(() -> inTime.complete(without), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
				inTime.whenComplete((there, error) -> timer.dispose());
			}
			return inTime.thenApply((there) -> both.apply(content, there));
		});
	}

	/**
	 * Reads something, if it comes in time.
	 * @param without the value when it does not
	 */
	public <T> Mono<T> read(Mono<T> extra, T without) {
		return extra.timeout(this.tooLate, Mono.just(without))
			.onErrorResume(BestEffortReads::isLeftOut, (unread) -> Mono.just(without));
	}

	private static boolean isLeftOut(Throwable error) {
		return RedisErrorClassifier.isAway(error) || RedisErrorClassifier.isWrongType(error);
	}

}
