package live.retwis.fanout;

import java.util.Map;

import live.retwis.log.LogEntry;

/**
 * What an entry of the log means for those who began to follow its user within a range of
 * time; or, of an account that was deleted, for all.
 *
 * @param id in the stream of the pieces; empty when it is the entry as a whole
 * @param type what happened
 * @param post its post; empty when it is about none
 * @param user who did it
 * @param committed millisecond of the entry
 * @param from ms of the follow, inclusive
 * @param until ms of the follow, exclusive
 */
public record FanOutTask(String id, LogEntry.Type type, String post, String user, long committed, long from,
		long until) {

	/** Begins of the pieces of an entry that has one only. */
	public static final long[] ONE = { 0 };

	/** All followers. */
	public static FanOutTask whole(LogEntry entry) {
		return new FanOutTask("", entry.type(), entry.post(), entry.user(), entry.position().millis(), 0,
				Long.MAX_VALUE);
	}

	/** As {@code split-fanout.lua} writes it. */
	static FanOutTask of(String id, Map<String, String> fields) {
		String until = fields.getOrDefault("until", "");
		String entry = fields.getOrDefault("entry", "0-0");
		return new FanOutTask(id, LogEntry.Type.of(fields.getOrDefault("type", "")), fields.getOrDefault("post", ""),
				fields.getOrDefault("user", ""), Long.parseLong(entry.substring(0, entry.indexOf('-'))),
				Long.parseLong(fields.getOrDefault("from", "0")),
				until.isEmpty() ? Long.MAX_VALUE : Long.parseLong(until));
	}

}
