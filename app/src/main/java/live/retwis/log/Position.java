package live.retwis.log;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the commit log: an entry's id and its random nonce. It is believed only
 * while the log holds exactly that entry; after a fail-over that lost entries, another
 * entry may have the id, but not the nonce.
 *
 * @param millis first part of the entry's id, ms since the epoch on the data node
 * @param sequence second part, counts the entries of one millisecond
 * @param nonce chosen by whoever appended the entry
 */
public record Position(long millis, long sequence, String nonce) implements Comparable<Position> {

	private static final Pattern TEXT = Pattern.compile("(\\d{1,15})-(\\d{1,15})\\.([A-Za-z0-9_-]{1,32})");

	/**
	 * Reads the id that an event carries.
	 * @return empty for anything else
	 */
	public static Optional<Position> parse(String text) {
		Matcher matcher = TEXT.matcher(text);
		return matcher.matches() ? Optional
			.of(new Position(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3)))
				: Optional.empty();
	}

	/** The place of an entry as Redis names it: its id and its nonce. */
	public static Position of(String entryId, String nonce) {
		int dash = entryId.indexOf('-');
		return new Position(Long.parseLong(entryId.substring(0, dash)), Long.parseLong(entryId.substring(dash + 1)),
				nonce);
	}

	/** The entry's id as Redis writes it. */
	public String entryId() {
		return this.millis + "-" + this.sequence;
	}

	/** Order in the log; the nonce has no part in it. */
	@Override
	public int compareTo(Position other) {
		int byMillis = Long.compare(this.millis, other.millis);
		return (byMillis != 0) ? byMillis : Long.compare(this.sequence, other.sequence);
	}

	@Override
	public String toString() {
		return entryId() + "." + this.nonce;
	}

}
