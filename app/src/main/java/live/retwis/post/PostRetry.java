package live.retwis.post;

import java.time.Duration;

import live.retwis.redis.Availability;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.QueryTimeoutException;

/**
 * Does again what may be done any number of times: a post form makes one post however
 * often it is sent, so while the way to the data node breaks, the server sends it again
 * itself. Its author need not, as long as that works within the time of a request.
 */
final class PostRetry {

	/** Leaves half a second of the three in which any page is answered. */
	private static final Duration LONGEST = Duration.ofMillis(2500);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

	private PostRetry() {
	}

	/** Tries again while the data node is away; whoever uses it bounds the time. */
	static Retry whileAway() {
		return Retry.backoff(Long.MAX_VALUE, FIRST_PAUSE).maxBackoff(LONGEST_PAUSE).filter(Availability::isAway);
	}

	/**
	 * Tries again while the data node is away, for as long as a request may take.
	 * @return what came of it; an error of {@link Availability} when the time is over.
	 * What was sent by then may still be done.
	 */
	static <T> Mono<T> within(Mono<T> attempt) {
		return inTime(attempt.retryWhen(whileAway()));
	}

	/**
	 * Ends after as long as a request may take.
	 * @return what came of it; an error of {@link Availability} when the time is over.
	 * What was sent by then may still be done.
	 */
	static <T> Mono<T> inTime(Mono<T> attempt) {
		return attempt.timeout(LONGEST, Mono.error(() -> new QueryTimeoutException("The data node is away")));
	}

}
