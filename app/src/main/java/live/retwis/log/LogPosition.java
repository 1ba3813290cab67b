package live.retwis.log;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the commit log: the id of an entry and its random nonce. A position is
 * valid only while the log holds exactly that entry. After a fail-over that lost entries,
 * another entry may have the same id, but never the same nonce.
 *
 * @param millis first part of the entry's id, ms since the epoch on the data node
 * @param sequence second part of the id; it counts the entries of one millisecond
 * @param nonce chosen by the instance that appended the entry
 */
public record LogPosition(long millis, long sequence, String nonce) implements Comparable<LogPosition> {

	private static final Pattern TEXT = Pattern.compile("(\\d{1,15})-(\\d{1,15})\\.([A-Za-z0-9_-]{1,32})");

	/**
	 * Reads the id of a live event.
	 * @return empty when the text is not a position
	 */
	public static Optional<LogPosition> parse(String text) {
		Matcher matcher = TEXT.matcher(text);
		return matcher.matches() ? Optional
			.of(new LogPosition(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3)))
				: Optional.empty();
	}

	/** The position of an entry, from its id in Redis and its nonce. */
	public static LogPosition of(String entryId, String nonce) {
		int dash = entryId.indexOf('-');
		return new LogPosition(Long.parseLong(entryId.substring(0, dash)), Long.parseLong(entryId.substring(dash + 1)),
				nonce);
	}

	/** The entry's id as Redis writes it. */
	public String entryId() {
		return this.millis + "-" + this.sequence;
	}

	/** Orders positions as in the log. The nonce does not count. */
	@Override
	public int compareTo(LogPosition other) {
		int byMillis = Long.compare(this.millis, other.millis);
		return (byMillis != 0) ? byMillis : Long.compare(this.sequence, other.sequence);
	}

	@Override
	public String toString() {
		return entryId() + "." + this.nonce;
	}

}
