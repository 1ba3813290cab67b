package live.retwis.post;

import java.time.Duration;

import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.QueryTimeoutException;

/**
 * Repeats writes that are safe to repeat. A post form makes one post however often it is
 * sent. So if the connection to the data node breaks, the server sends the write again
 * itself, within the time of a request, and the author does not have to.
 */
final class DataNodeRetry {

	/** Any page is answered within three seconds; this leaves half a second of them. */
	private static final Duration LONGEST = Duration.ofMillis(2500);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

	private DataNodeRetry() {
	}

	/** Retries while the data node is away. The caller has to limit the time. */
	static Retry whileAway() {
		return Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE)
			.maxBackoff(LONGEST_PAUSE)
			.filter(RedisErrorClassifier::isAway);
	}

	/**
	 * Retries while the data node is away, for as long as a request may take.
	 * @return the result; an error for which {@link RedisErrorClassifier#isAway} is true
	 * when the time is over. Commands sent before that may still run
	 */
	static <T> Mono<T> within(Mono<T> attempt) {
		return inTime(attempt.retryWhen(whileAway()));
	}

	/**
	 * Limits the attempt to as long as a request may take.
	 * @return the result; an error for which {@link RedisErrorClassifier#isAway} is true
	 * when the time is over. Commands sent before that may still run
	 */
	static <T> Mono<T> inTime(Mono<T> attempt) {
		return attempt.timeout(LONGEST, Mono.error(() -> new QueryTimeoutException("The data node is away")));
	}

}
