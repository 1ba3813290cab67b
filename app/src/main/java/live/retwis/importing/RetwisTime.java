package live.retwis.importing;

import java.time.Duration;
import java.util.OptionalLong;

/** Times of the PHP Retwis: seconds since the epoch. */
final class RetwisTime {

	/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
	private static final double LARGEST_SECOND = 1e11;

	/** The clock of the old site may have been fast. */
	private static final long TOLERANCE = Duration.ofDays(1).toMillis();

	private RetwisTime() {
	}

	/**
	 * The time as milliseconds since the epoch.
	 * @param now the current time
	 * @return empty when the text is no time, or one in the future
	 */
	static OptionalLong millis(String text, long now) {
		try {
			double number = Double.parseDouble(text);
			long millis = (long) ((number < LARGEST_SECOND) ? number * 1000 : number);
			return (millis > 0 && millis <= now + TOLERANCE) ? OptionalLong.of(millis) : OptionalLong.empty();
		}
		catch (NumberFormatException ex) {
			return OptionalLong.empty();
		}
	}

}
