package live.retwis.live;

import java.time.Duration;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Decides how long a log entry waits while its post cannot be read. All later entries
 * wait with it. While the log cannot be read either, nothing else could be delivered, so
 * the entry waits as long as it takes. If the log answers, only the part of the cluster
 * that holds the post is away. Then the entry waits a short time, and the later ones go
 * on. Only reposts of old posts need the archive, so nothing waits for that.
 */
@Component
class PostReadRetry {

	/**
	 * How long to wait while only the post cannot be read, in addition to the command
	 * timeout.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/**
	 * How long a part of the cluster counts as away after a post there was given up.
	 * During this time, other posts are tried only once.
	 */
	private static final Duration AWAY = Duration.ofSeconds(10);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

	private final CommitLog log;

	/** When a post was last given up, by {@link System#nanoTime}. */
	private volatile long gaveUp = System.nanoTime() - AWAY.toNanos();

	PostReadRetry(CommitLog log) {
		this.log = log;
	}

	/**
	 * Retries reading the post of an entry.
	 * @param place position of the entry
	 * @return a retry that fails with the last error when another try is not worth it
	 */
	Retry forPostAt(LogPosition place) {
		return Retry.from((failures) -> {
			Wait wait = new Wait(place);
			return failures.concatMap((failed) -> wait.after(failed.failure()));
		});
	}

	private final class Wait {

		private final LogPosition place;

		/**
		 * Since when the log answers but the post cannot be read; null while that is not
		 * the case.
		 */
		private @Nullable Long alone;

		private Duration pause = FIRST_PAUSE;

		private Wait(LogPosition place) {
			this.place = place;
		}

		private Mono<Long> after(Throwable failure) {
			boolean isWorthIt = RedisErrorClassifier.isAway(failure) && !(failure instanceof ArchiveAwayException);
			return isWorthIt ? PostReadRetry.this.log.from(this.place, 1)
				.thenReturn(true)
				.onErrorReturn(false)
				.flatMap((answers) -> after(failure, answers)) : Mono.error(failure);
		}

		private Mono<Long> after(Throwable failure, boolean logAnswers) {
			long now = System.nanoTime();
			if (!logAnswers) {
				this.alone = null;
			}
			else if (isOver(now)) {
				PostReadRetry.this.gaveUp = now;
				return Mono.error(failure);
			}
			Duration pausing = this.pause;
			this.pause = (pausing.compareTo(LAST_PAUSE) < 0) ? pausing.multipliedBy(2) : LAST_PAUSE;
			return Mono.delay(pausing);
		}

		private boolean isOver(long now) {
			if (this.alone == null) {
				this.alone = now;
			}
			return now - this.alone >= PATIENCE.toNanos() || now - PostReadRetry.this.gaveUp < AWAY.toNanos();
		}

	}

}
