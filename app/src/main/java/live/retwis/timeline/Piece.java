package live.retwis.timeline;

import java.util.Map;

import live.retwis.redis.LogEntry;

/**
 * What an entry of the log means for those who began to follow its author within a range
 * of time.
 *
 * @param id in the stream of the pieces; empty when it is the entry as a whole
 * @param added whether the post was made; else it was deleted
 * @param post its id
 * @param author its author's id
 * @param committed millisecond of the entry
 * @param from ms of the follow, inclusive
 * @param until ms of the follow, exclusive
 */
record Piece(String id, boolean added, String post, String author, long committed, long from, long until) {

	/** All followers. */
	static Piece whole(LogEntry entry) {
		return new Piece("", entry.type() == LogEntry.Type.POST, entry.post(), entry.user(), entry.position().millis(),
				0, Long.MAX_VALUE);
	}

	/** As {@code split-fanout.lua} writes it. */
	static Piece of(String id, Map<String, String> fields) {
		String until = fields.getOrDefault("until", "");
		String entry = fields.getOrDefault("entry", "0-0");
		return new Piece(id, fields.getOrDefault("type", "").equals(LogEntry.Type.POST.text()),
				fields.getOrDefault("post", ""), fields.getOrDefault("user", ""),
				Long.parseLong(entry.substring(0, entry.indexOf('-'))),
				Long.parseLong(fields.getOrDefault("from", "0")),
				until.isEmpty() ? Long.MAX_VALUE : Long.parseLong(until));
	}

}
