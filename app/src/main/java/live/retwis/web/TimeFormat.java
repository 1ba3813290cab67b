package live.retwis.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.i18n.Language;
import live.retwis.i18n.Localized;

/**
 * Formats times, given in ms since the epoch. Pages show absolute times in UTC. Scripts
 * replace them by relative ones, or by those of the reader's time zone.
 */
public final class TimeFormat {

	private static final DateTimeFormatter NUMBERS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	/** By pattern and language. There are few of both. */
	private static final Map<List<String>, DateTimeFormatter> FORMATTERS = new ConcurrentHashMap<>();

	private TimeFormat() {
	}

	/** ISO 8601 in UTC with milliseconds. */
	public static String iso(long millis) {
		return DateTimeFormatter.ISO_INSTANT.format(Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS));
	}

	/** Like {@code 20 Nov 2026}. */
	public static Localized day(long millis) {
		return (language) -> pattern(language.text("time.day"), language).format(Instant.ofEpochMilli(millis));
	}

	/** Like {@code 20 Nov 2026, 23:55 UTC}. */
	public static Localized text(long millis) {
		return (language) -> pattern(language.text("time.minute"), language).format(Instant.ofEpochMilli(millis));
	}

	/** Like {@code 2026-11-20 23:55 UTC}, the same in every language. */
	public static String numbers(long millis) {
		return NUMBERS.format(Instant.ofEpochMilli(millis));
	}

	private static DateTimeFormatter pattern(String pattern, Language language) {
		return FORMATTERS.computeIfAbsent(List.of(pattern, language.tag()),
				(key) -> DateTimeFormatter.ofPattern(pattern, language.locale()).withZone(ZoneOffset.UTC));
	}

}
