package live.retwis.redis;

import java.time.Duration;

import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps a write running when its caller cancels. A browser that goes away cancels its
 * request, and that must not stop a write half-way.
 */
public final class Uncancellable {

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	/** About ten minutes of pauses. A fail-over takes less. */
	private static final int MOST_REPEATS = 600;

	private Uncancellable() {
	}

	/** The given write, made so that cancelling does not stop it. */
	public static <T> Mono<T> of(Mono<T> write) {
		return Mono.deferContextual((context) -> Mono.fromFuture(() -> write.contextWrite(context).toFuture(), true));
	}

	/**
	 * The same for a write that changes nothing when it is repeated. While the data node
	 * is away, it is repeated, so that it is not left half done. The caller decides how
	 * long to wait for it.
	 * @return the result; the last error when the data node is away for more than ten
	 * minutes
	 */
	public static <T> Mono<T> untilBack(Mono<T> write) {
		return of(write.retryWhen(Retry.backoff(MOST_REPEATS, FIRST_PAUSE)
			.maxBackoff(LONGEST_PAUSE)
			.filter(RedisErrorClassifier::isAway)
			.onRetryExhaustedThrow((repeats, last) -> last.failure())));
	}

}
