package live.retwis.redis;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A place in one sorted set. A page starts after it, not at it. It stays valid while
 * members are added or removed. Its text form also identifies the list, so that a cursor
 * of one list is refused in another.
 *
 * @param score score of the member that the cursor points at
 * @param member the member that the cursor points at; it may have been removed meanwhile
 */
public record Cursor(long score, String member) {

	/** Before all members, where a list is read from its lowest score on. */
	public static final Cursor START = new Cursor(0, "");

	private static final Pattern TEXT = Pattern
		.compile("([0-9a-z]{1,7})\\.([0-9a-z]{1,11})\\.((?:[a-z]+:)?[0-9A-Z]{13}(?::[0-9A-Z]{13})?)");

	private static final Pattern BUCKET = Pattern.compile("^\\{t\\d{4}}:");

	private static final int RADIX = Character.MAX_RADIX;

	/**
	 * Reads a cursor of the given list.
	 * @return empty when the text is not a cursor, or is a cursor of another list
	 */
	public static Optional<Cursor> parse(String text, String key) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches() || !matcher.group(1).equals(mark(key))) {
			return Optional.empty();
		}
		return Optional.of(new Cursor(Long.parseLong(matcher.group(2), RADIX), matcher.group(3)));
	}

	/**
	 * The cursor as text, for the given list. The page's script {@code positions.js}
	 * writes another score and member into such a text.
	 */
	public String text(String key) {
		return mark(key) + "." + Long.toString(this.score, RADIX) + "." + this.member;
	}

	/**
	 * A checksum of the list's name. The bucket of a home timeline does not count,
	 * because the names in older releases have none.
	 */
	private static String mark(String key) {
		CRC32 crc = new CRC32();
		crc.update(BUCKET.matcher(key).replaceFirst("").getBytes(StandardCharsets.UTF_8));
		return Long.toString(crc.getValue(), RADIX);
	}

}
