package live.retwis.live;

import java.time.Duration;

import live.retwis.redis.LiveProperties;
import live.retwis.redis.Position;

/**
 * Tells streams that got nothing for a while where they are, so that they can be resumed
 * from there. Used on the feed's thread only.
 */
class Heartbeat {

	/**
	 * How often in the life of a remembered entry: no stream is left behind by more than
	 * half of what can be replayed.
	 */
	private static final int MARKS = 4;

	private final StreamLoops loops;

	private final LiveProperties properties;

	/** Entries delivered since streams were last told of their number. */
	private int unmarked;

	/** When that was, by {@link System#nanoTime()}. */
	private long marked = System.nanoTime();

	Heartbeat(StreamLoops loops, LiveProperties properties) {
		this.loops = loops;
		this.properties = properties;
	}

	/**
	 * To be called often: tells those that were quiet for as long as the settings say.
	 */
	void beat(Position newest) {
		send(newest, this.properties.heartbeat());
	}

	/**
	 * A busy log leaves quiet streams behind sooner than their heartbeat tells them where
	 * they are; they could not be resumed.
	 */
	void delivered(FeedEntry entry) {
		this.unmarked++;
		if (this.unmarked >= this.properties.replay() / MARKS) {
			long now = System.nanoTime();
			send(entry.position(), Duration.ofNanos(now - this.marked));
			this.marked = now;
			this.unmarked = 0;
		}
	}

	private void send(Position newest, Duration quiet) {
		byte[] event = EventFrame.event(newest, "position", "-");
		this.loops.each((loop) -> loop.audience().sendToQuiet(event, quiet));
	}

}
