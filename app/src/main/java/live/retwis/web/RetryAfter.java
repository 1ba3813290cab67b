package live.retwis.web;

import java.time.Duration;

import live.retwis.i18n.Message;

/** How long somebody has to wait who has reached a limit. */
public final class RetryAfter {

	private static final Duration LONGEST_IN_SECONDS = Duration.ofMinutes(2);

	private RetryAfter() {
	}

	/** For a person. */
	public static Message text(Duration wait) {
		return (wait.compareTo(LONGEST_IN_SECONDS) <= 0) ? Message.of("limit.seconds", seconds(wait))
				: Message.of("limit.minutes", (seconds(wait) + 59) / 60);
	}

	/** For {@code Retry-After}: whole seconds, at least one. */
	public static long seconds(Duration wait) {
		return Math.max(1, wait.plusMillis(999).toSeconds());
	}

}
