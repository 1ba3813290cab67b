package live.retwis.live;

import java.time.Duration;

import live.retwis.log.CommitLog;
import live.retwis.log.Position;
import live.retwis.redis.Availability;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Decides how long an entry of the log waits for its post while that cannot be read. All
 * later entries wait with it. While the log is away too, there is nothing that could be
 * delivered instead, and it waits for as long as that takes. When the log answers, only
 * the post's own part of a cluster is away, and after a short while the others go on.
 */
@Component
class PostReadRetry {

	/** Beside the time that a command may take. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/**
	 * A part of the cluster that was away is taken to be away for so long: the next posts
	 * there are tried once.
	 */
	private static final Duration AWAY = Duration.ofSeconds(10);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

	private final CommitLog log;

	/** By {@link System#nanoTime}. */
	private volatile long gaveUp = System.nanoTime() - AWAY.toNanos();

	PostReadRetry(CommitLog log) {
		this.log = log;
	}

	/**
	 * Tries again to read the post of an entry.
	 * @param place of the entry
	 * @return fails as the last try did when it is not worth another one
	 */
	Retry forPostAt(Position place) {
		return Retry.from((failures) -> {
			Wait wait = new Wait(place);
			return failures.concatMap((failed) -> wait.after(failed.failure()));
		});
	}

	private final class Wait {

		private final Position place;

		/** Since when the log answers but the post cannot be read; null while neither. */
		private @Nullable Long alone;

		private Duration pause = FIRST_PAUSE;

		private Wait(Position place) {
			this.place = place;
		}

		private Mono<Long> after(Throwable failure) {
			return Availability.isAway(failure) ? PostReadRetry.this.log.from(this.place, 1)
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
