package live.retwis.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;

/**
 * An author whom a reader mutes or blocks in the middle of a workload. From the log entry
 * of that on, nothing of the author may come to the reader. What is older may come or
 * not, because a replay uses the present mutes and blocks.
 *
 * @param reader id of the reader
 * @param author id of the author
 * @param authorOf author of each acknowledged post, by their ids
 */
record LateRestriction(String reader, String author, Map<String, String> authorOf) {

	/** Of a reader who mutes and blocks nobody in the middle of a workload. */
	static final LateRestriction NONE = new LateRestriction("", "", Map.of());

	/**
	 * Whether it is about a post or a repost by the author, or a repost of the author's
	 * post.
	 */
	boolean concerns(LogEntry post) {
		return post.type() == LogEntry.Type.POST && (this.author.equals(post.user())
				|| post.repostOf().filter((original) -> this.author.equals(this.authorOf.get(original))).isPresent());
	}

	/** Where it begins; empty when the log does not have it. */
	Optional<LogPosition> beginIn(List<LogEntry> log) {
		return log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.MUTE || entry.type() == LogEntry.Type.BLOCK)
			.filter((entry) -> entry.user().equals(this.reader) && entry.other().equals(this.author))
			.map(LogEntry::position)
			.findFirst();
	}

}
