package live.retwis.live;

import java.util.List;
import java.util.Set;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.restriction.HiddenAuthors;
import org.jspecify.annotations.Nullable;

/**
 * A log entry that is ready to be sent.
 *
 * @param entry the log entry
 * @param frame the event as bytes, shared by all subscribers; null when it is not sent to
 * streams
 * @param topics what the post of the entry is about, see {@link StreamSelection#topics()}
 * @param original id of the author of the post that a repost shows; null for other
 * entries
 * @param reposters ids of users who reposted the post whose counters this entry has, see
 * {@link FeedMemory#repostersOf}
 */
record FeedEntry(LogEntry entry, byte @Nullable [] frame, List<String> topics, @Nullable String original,
		Set<String> reposters) {

	/** An entry that is not about a repost. */
	FeedEntry(LogEntry entry, byte @Nullable [] frame, List<String> topics) {
		this(entry, frame, topics, null);
	}

	/** An entry about a post of another author, or about no repost. */
	FeedEntry(LogEntry entry, byte @Nullable [] frame, List<String> topics, @Nullable String original) {
		this(entry, frame, topics, original, Set.of());
	}

	/** An entry that is about no topic. */
	FeedEntry(LogEntry entry, byte @Nullable [] frame) {
		this(entry, frame, List.of());
	}

	/** Whether it has something of somebody whom the viewer does not see. */
	boolean isHidden(HiddenAuthors hidden) {
		return switch (this.entry.type()) {
			case POST ->
				hidden.contains(this.entry.user()) || (this.original != null && hidden.contains(this.original));
			case PROFILE -> hidden.contains(this.entry.user());
			default -> false;
		};
	}

	/** A copy that also goes to the streams that want these users' posts. */
	FeedEntry repostedBy(Set<String> users) {
		return new FeedEntry(this.entry, this.frame, this.topics, this.original, users);
	}

	LogPosition position() {
		return this.entry.position();
	}

}
