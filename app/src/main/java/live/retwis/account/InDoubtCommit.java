package live.retwis.account;

import java.time.Duration;

import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Finds out whether a commit was made whose answer was lost.
 */
final class InDoubtCommit {

	/** Retries after a broken connection, about two seconds in all. */
	private static final int TRIES = 6;

	private static final Duration FIRST_RETRY = Duration.ofMillis(50);

	private static final Duration LAST_RETRY = Duration.ofMillis(800);

	private InDoubtCommit() {
	}

	/**
	 * Asks the data node, and repeats this for a short time, because the connection whose
	 * answer was lost is usually back in a moment.
	 * @param made whether the commit was made
	 * @param lost why the answer is missing
	 * @return true when it was made, else the error
	 */
	static Mono<Boolean> ask(Mono<Boolean> made, Throwable lost) {
		return made
			.retryWhen(Retry.backoff(TRIES, FIRST_RETRY).maxBackoff(LAST_RETRY).filter(RedisErrorClassifier::isAway))
			.flatMap((is) -> is ? Mono.just(true) : Mono.error(lost));
	}

}
