package live.retwis.live;

import java.util.List;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * A log entry that is ready to be sent.
 *
 * @param entry the log entry
 * @param frame the event as bytes, shared by all subscribers; null when it is not sent to
 * streams
 * @param topics what the post of the entry is about, see {@link StreamFilter#topics()}
 */
record FeedEntry(LogEntry entry, byte @Nullable [] frame, List<String> topics) {

	/** An entry that is about no topic. */
	FeedEntry(LogEntry entry, byte @Nullable [] frame) {
		this(entry, frame, List.of());
	}

	Position position() {
		return this.entry.position();
	}

}
