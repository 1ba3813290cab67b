package live.retwis.fanout;

import java.util.Map;

import live.retwis.log.LogEntry;

/**
 * A task of fan-out: one log entry for the followers who began to follow its user within
 * a range of time. For a deleted account it covers all followers.
 *
 * @param id id in the stream of tasks; empty when it covers a whole entry
 * @param type what happened
 * @param post id of the entry's post; empty for none
 * @param user id of the user who did it
 * @param committed millisecond of the entry
 * @param from begin of the range of follow times, in ms, inclusive
 * @param until end of the range of follow times, in ms, exclusive
 * @param tried whether it was put aside once, so a part of it may be done
 */
public record FanOutTask(String id, LogEntry.Type type, String post, String user, long committed, long from, long until,
		boolean tried) {

	/** Makes a single task of an entry: its range of follow times begins at 0. */
	public static final long[] SINGLE = { 0 };

	/** A task that covers all followers. */
	public static FanOutTask whole(LogEntry entry) {
		return new FanOutTask("", entry.type(), entry.post(), entry.user(), entry.position().millis(), 0,
				Long.MAX_VALUE, false);
	}

	/** A task for all followers of the author of a deleted post that has no entry. */
	public static FanOutTask ofDeletion(String postId, String userId) {
		return new FanOutTask("", LogEntry.Type.DELETE, postId, userId, 0, 0, Long.MAX_VALUE, false);
	}

	/**
	 * Reads what {@code split-fanout.lua} or {@code retry-dead-letter.lua} has written.
	 */
	static FanOutTask of(String id, Map<String, String> fields) {
		String until = fields.getOrDefault("until", "");
		String entry = fields.getOrDefault("entry", "0-0");
		return new FanOutTask(id, LogEntry.Type.of(fields.getOrDefault("type", "")), fields.getOrDefault("post", ""),
				fields.getOrDefault("user", ""), Long.parseLong(entry.substring(0, entry.indexOf('-'))),
				Long.parseLong(fields.getOrDefault("from", "0")),
				until.isEmpty() ? Long.MAX_VALUE : Long.parseLong(until), fields.containsKey("tried"));
	}

}
