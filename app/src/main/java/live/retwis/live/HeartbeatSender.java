package live.retwis.live;

import java.time.Duration;

import live.retwis.log.LogPosition;

/**
 * Sends the current position to streams that got nothing for a while, so that they can be
 * resumed from there. Also ends streams whose lifetime is over. Used on the feed's thread
 * only.
 */
class HeartbeatSender {

	/**
	 * Positions are sent this many times while an entry stays in the memory. So a stream
	 * never lags behind by more than half of what can be replayed.
	 */
	private static final int MARKS = 4;

	/**
	 * How long a browser waits before it reconnects when its own stream has reached its
	 * lifetime.
	 */
	private static final Duration RETRY = Duration.ofSeconds(1);

	private final StreamEventLoops loops;

	private final FeedMemory memory;

	private final Duration quiet;

	/**
	 * The entries delivered since positions were last sent, as a fraction of the memory.
	 */
	private double deliveredSincePositions;

	/** When positions were last sent, by {@link System#nanoTime()}. */
	private long marked = System.nanoTime();

	HeartbeatSender(StreamEventLoops loops, FeedMemory memory, Duration heartbeat, Duration replay) {
		this.loops = loops;
		this.memory = memory;
		Duration most = replay.dividedBy(MARKS);
		this.quiet = (heartbeat.compareTo(most) < 0) ? heartbeat : most;
	}

	/** Sends positions to quiet streams, and ends old ones. Must be called often. */
	void beat() {
		LogPosition newest = this.memory.newest();
		if (newest != null) {
			send(newest, this.quiet);
			byte[] end = ServerSentEventEncoder.retry(RETRY);
			this.loops.each((loop) -> loop.subscribers().endOld(end));
		}
	}

	/**
	 * Counts a delivered entry. On a busy log, entries may leave the memory before the
	 * regular heartbeat reaches a quiet stream, which then could not be resumed. So
	 * positions are sent earlier when many entries were delivered.
	 */
	void delivered(FeedEntry entry) {
		this.deliveredSincePositions += this.memory.shareOf(entry);
		if (this.deliveredSincePositions >= 1.0 / MARKS) {
			long now = System.nanoTime();
			send(entry.position(), Duration.ofNanos(now - this.marked));
			this.marked = now;
			this.deliveredSincePositions = 0;
		}
	}

	private void send(LogPosition newest, Duration quiet) {
		byte[] event = ServerSentEventEncoder.event(newest, "position", "-");
		this.loops.each((loop) -> loop.subscribers().sendToQuiet(event, quiet));
	}

}
