package live.retwis.logging;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Writes a warning to the log at most once a minute. It is for what clients can cause as
 * often as they like. Each line tells how often it happened since the last one.
 */
public final class RareWarning {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private final Logger log;

	private final String text;

	/** When the next line may be written, by {@link System#nanoTime()}. */
	private final AtomicLong due = new AtomicLong(System.nanoTime());

	private final AtomicLong times = new AtomicLong();

	/**
	 * Creates a warning.
	 * @param text the line, with a place for the number and a place for an example
	 */
	public RareWarning(Logger log, String text) {
		this.log = log;
		this.text = text;
	}

	/**
	 * Counts, and writes the line if the last one is a minute ago.
	 * @param example what it was this time
	 */
	public void warn(String example) {
		long counted = this.times.incrementAndGet();
		long now = System.nanoTime();
		long when = this.due.get();
		if (now - when >= 0 && this.due.compareAndSet(when, now + MINUTE)) {
			this.times.addAndGet(-counted);
			this.log.warn(this.text, counted, example);
		}
	}

}
