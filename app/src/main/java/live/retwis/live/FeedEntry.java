package live.retwis.live;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * A log entry that is ready to be sent.
 *
 * @param entry the log entry
 * @param frame the event as bytes, shared by all subscribers; null when it is not sent to
 * streams
 */
record FeedEntry(LogEntry entry, byte @Nullable [] frame) {

	Position position() {
		return this.entry.position();
	}

}
