package live.retwis.log;

import java.util.HashMap;
import java.util.Map;

/**
 * One entry of the commit log: ids and small facts, never a user's text.
 *
 * @param position its place
 * @param type what happened
 * @param post the post it is about; empty when it is about none
 * @param user who did it
 * @param other whom it was done to; empty when nobody
 * @param facts what changed, as JSON without spaces; empty when the type says all
 * @param pulled whether readers pull the post; else it is pushed to them
 */
public record LogEntry(Position position, Type type, String post, String user, String other, String facts,
		boolean pulled) {

	/** An entry whose type says all. */
	public LogEntry(Position position, Type type, String post, String user, String other) {
		this(position, type, post, user, other, "", false);
	}

	/** What an entry tells. */
	public enum Type {

		/** The log begins. */
		START,
		/** {@code user} made {@code post}. */
		POST,
		/** {@code user} deleted {@code post}. */
		DELETE,
		/** {@code user} follows {@code other}. */
		FOLLOW,
		/** {@code user} no longer follows {@code other}. */
		UNFOLLOW,
		/** Something about {@code user} has changed: {@code facts}. */
		PROFILE,
		/**
		 * What is counted of a {@code post} by {@code user} has changed: {@code facts}.
		 */
		COUNTS,
		/** Every session of {@code user} is over. */
		AUTH,
		/** {@code user} has deleted the account, and every session is over. */
		CLOSED,
		/** The name in {@code facts} is nobody's again. */
		FREED,
		/** Written by a newer release; passed over. */
		UNKNOWN;

		/** As the log names it. */
		public String text() {
			return name().toLowerCase(java.util.Locale.ROOT);
		}

		/** As the log names it; {@link #UNKNOWN} when this release does not know it. */
		public static Type of(String text) {
			for (Type type : values()) {
				if (type.text().equals(text)) {
					return type;
				}
			}
			return UNKNOWN;
		}

	}

	/** An entry as the stream holds it. */
	public static LogEntry of(String entryId, Map<String, String> fields) {
		return new LogEntry(Position.of(entryId, fields.getOrDefault("nonce", "")),
				Type.of(fields.getOrDefault("type", "")), fields.getOrDefault("post", ""),
				fields.getOrDefault("user", ""), fields.getOrDefault("other", ""), fields.getOrDefault("facts", ""),
				fields.containsKey("pulled"));
	}

	/**
	 * An entry as the bus tells it: with the position of the one before it, so that a
	 * receiver sees a gap at once, and sees that the log was cut when the id of the last
	 * entry that it knows was given to another one.
	 *
	 * @param previous position of the entry before as text, {@code 0-0} for the first
	 * @param entry the entry
	 */
	public record Announcement(String previous, LogEntry entry) {

		/**
		 * Reads what the scripts publish: previous position, id, then field names and
		 * values, a space between each.
		 */
		public static Announcement parse(String message) {
			String[] words = message.split(" ");
			Map<String, String> fields = new HashMap<>();
			for (int i = 2; i + 1 < words.length; i += 2) {
				fields.put(words[i], words[i + 1]);
			}
			return new Announcement(words[0], LogEntry.of(words[1], fields));
		}

	}

}
