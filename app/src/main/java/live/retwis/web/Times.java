package live.retwis.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Moments as text. Pages show absolute times in UTC; scripts make them relative.
 */
public final class Times {

	private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private Times() {
	}

	/** ISO 8601 in UTC with milliseconds. */
	public static String iso(long millis) {
		return DateTimeFormatter.ISO_INSTANT.format(Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS));
	}

	/** Like {@code 20 Nov 2026}. */
	public static String day(long millis) {
		return DAY.format(Instant.ofEpochMilli(millis));
	}

	/** Like {@code 20 Nov 2026, 23:55 UTC}. */
	public static String text(long millis) {
		return TEXT.format(Instant.ofEpochMilli(millis));
	}

}
