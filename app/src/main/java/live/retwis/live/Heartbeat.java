package live.retwis.live;

import java.time.Duration;

import live.retwis.log.Position;

/**
 * Tells streams that got nothing for a while where they are, so that they can be resumed
 * from there, and ends those whose life is over. Used on the feed's thread only.
 */
class Heartbeat {

	/**
	 * How often in the life of a remembered entry: no stream is left behind by more than
	 * half of what can be replayed.
	 */
	private static final int MARKS = 4;

	/** How soon a browser comes back whose stream alone has ended, by its age. */
	private static final Duration RETRY = Duration.ofSeconds(1);

	private final StreamLoops loops;

	private final FeedMemory memory;

	private final Duration quiet;

	/** What was delivered since streams were last told so, as a share of the memory. */
	private double unmarked;

	/** When that was, by {@link System#nanoTime()}. */
	private long marked = System.nanoTime();

	Heartbeat(StreamLoops loops, FeedMemory memory, Duration heartbeat, Duration replay) {
		this.loops = loops;
		this.memory = memory;
		Duration most = replay.dividedBy(MARKS);
		this.quiet = (heartbeat.compareTo(most) < 0) ? heartbeat : most;
	}

	/** To be called often. */
	void beat() {
		Position newest = this.memory.newest();
		if (newest != null) {
			send(newest, this.quiet);
			byte[] end = EventFrame.retry(RETRY);
			this.loops.each((loop) -> loop.audience().endOld(end));
		}
	}

	/**
	 * A busy log leaves quiet streams behind sooner than their heartbeat tells them where
	 * they are; they could not be resumed.
	 */
	void delivered(FeedEntry entry) {
		this.unmarked += this.memory.shareOf(entry);
		if (this.unmarked >= 1.0 / MARKS) {
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
