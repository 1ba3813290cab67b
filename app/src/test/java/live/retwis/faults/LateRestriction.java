package live.retwis.faults;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;

/**
 * An author whom a reader mutes or blocks in the middle of a workload, and perhaps no
 * longer after a while. Between the log entries of the two, nothing of the author may
 * come to the reader, and after the second one all of it must. A connection that is
 * opened after the second one may also replay what came between the two, because a replay
 * uses the present mutes and blocks. So what is older than the first one may come or not.
 *
 * @param reader id of the reader
 * @param author id of the author
 * @param authorOf author of each acknowledged post, by their ids
 * @param end what is known of its end
 */
record LateRestriction(String reader, String author, Map<String, String> authorOf, End end) {

	/** Of a reader who mutes and blocks nobody in the middle of a workload. */
	static final LateRestriction NONE = new LateRestriction("", "", Map.of(), End.NEVER);

	private static final Set<LogEntry.Type> BEGINS = Set.of(LogEntry.Type.MUTE, LogEntry.Type.BLOCK);

	private static final Set<LogEntry.Type> ENDS = Set.of(LogEntry.Type.UNMUTE, LogEntry.Type.UNBLOCK);

	/** The same restriction with what is known of its end by now. */
	LateRestriction with(End known) {
		return new LateRestriction(this.reader, this.author, this.authorOf, known);
	}

	/**
	 * Whether it is about a post or a repost by the author, or a repost of the author's
	 * post.
	 */
	private boolean concerns(LogEntry post) {
		return post.type() == LogEntry.Type.POST && (this.author.equals(post.user())
				|| post.repostOf().filter((original) -> this.author.equals(this.authorOf.get(original))).isPresent());
	}

	/**
	 * The posts of a log that may come or not, or must not come. If the end is logged
	 * twice, because its intent was finished twice, they go on to the second time.
	 */
	Predicate<LogEntry> leftOutOf(List<LogEntry> log) {
		return before(entries(log, ENDS).reduce((first, second) -> second));
	}

	/** The posts of a log that must not come, unless they are replayed after the end. */
	Predicate<LogEntry> hiddenIn(List<LogEntry> log) {
		LogPosition first = beginIn(log).orElse(null);
		return (first == null || this.end == End.UNCERTAIN) ? (post) -> false
				: before(endIn(log)).and((post) -> post.position().compareTo(first) > 0);
	}

	/** The posts that it concerns, up to its end if that is certain. */
	private Predicate<LogEntry> before(Optional<LogPosition> end) {
		LogPosition last = (this.end == End.CERTAIN) ? end.orElse(null) : null;
		return (post) -> concerns(post) && (last == null || post.position().compareTo(last) < 0);
	}

	/** Where it begins; empty when the log does not have it. */
	Optional<LogPosition> beginIn(List<LogEntry> log) {
		return entries(log, BEGINS).findFirst();
	}

	/** Where it ends; empty when the log does not have it. */
	Optional<LogPosition> endIn(List<LogEntry> log) {
		return entries(log, ENDS).findFirst();
	}

	private Stream<LogPosition> entries(List<LogEntry> log, Set<LogEntry.Type> types) {
		return log.stream()
			.filter((entry) -> types.contains(entry.type()))
			.filter((entry) -> entry.user().equals(this.reader) && entry.other().equals(this.author))
			.map(LogEntry::position);
	}

	/** What is known of the end of a restriction. */
	enum End {

		/** It lasts to the end of the workload. */
		NEVER,
		/** Its end was sent, but may be lost. */
		UNCERTAIN,
		/** Its end was acknowledged, and cannot be lost. */
		CERTAIN

	}

}
