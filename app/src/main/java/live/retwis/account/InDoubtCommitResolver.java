package live.retwis.account;

import java.time.Duration;
import java.util.Optional;

import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.QueryTimeoutException;

/**
 * Finds out what became of a commit whose answer was lost. The connection whose answer
 * was lost is usually back in a moment.
 */
final class InDoubtCommitResolver {

	/**
	 * How long a page waits for that, the commit's own answer included: half a second
	 * longer than a command may take.
	 */
	private static final Duration LONGEST = Duration.ofMillis(2500);

	private static final Duration ASK_AGAIN = Duration.ofMillis(50);

	private volatile long end = end();

	private static long end() {
		return System.nanoTime() + LONGEST.toNanos();
	}

	/** The commit, for which the time begins when it is sent. */
	<T> Mono<T> send(Mono<T> commit) {
		return Mono.defer(() -> {
			this.end = end();
			return commit;
		});
	}

	/**
	 * Asks the data node, and repeats this while it is away.
	 * @param question what became of the commit; it may also send the commit again
	 * @param lost why the answer is missing
	 * @return the answer; an error for which {@link RedisErrorClassifier#isAway} is true
	 * when the time is over
	 */
	<T> Mono<T> ask(Mono<T> question, Throwable lost) {
		Duration left = Duration.ofNanos(Math.max(0, this.end - System.nanoTime()));
		return question.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, ASK_AGAIN).filter(RedisErrorClassifier::isAway))
			.timeout(left,
					Mono.error(() -> new QueryTimeoutException("It is not known what became of a commit", lost)));
	}

	/**
	 * {@link #ask}, for a commit that need not have happened.
	 * @param made whether the commit was made
	 * @param lost why the answer is missing
	 * @return true when it was made, {@code lost} when it was not; an error as above when
	 * the time is over
	 */
	Mono<Boolean> requireMade(Mono<Boolean> made, Throwable lost) {
		return ask(made, lost).flatMap((is) -> is ? Mono.just(true) : Mono.error(lost));
	}

	/**
	 * {@link #ask}, for a commit that was answered. Then the data node went away, so a
	 * fail-over may have lost it.
	 * @param made whether the commit is still there
	 * @param away the error of a later command
	 * @return true when it is, false when the time is over; {@code away} when it is lost
	 */
	Mono<Boolean> requireKept(Mono<Boolean> made, Throwable away) {
		return ask(made, away).singleOptional()
			.onErrorReturn(RedisErrorClassifier::isAway, Optional.empty())
			.flatMap((is) -> is.orElse(true) ? Mono.just(is.isPresent()) : Mono.error(away));
	}

}
