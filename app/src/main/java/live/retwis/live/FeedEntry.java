package live.retwis.live;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the log, ready to be sent.
 *
 * @param entry what happened
 * @param frame the event as bytes, shared by all subscribers; null when streams are not
 * told of it
 */
record FeedEntry(LogEntry entry, byte @Nullable [] frame) {

	Position position() {
		return this.entry.position();
	}

}
