package live.retwis.logging;

import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Writes a warning to the log at most once a minute. It is for what clients can cause as
 * often as they like. Each line tells how often it happened since the last one.
 */
public final class RareWarning {

	private final Logger log;

	private final String text;

	private final OncePerMinute logged = new OncePerMinute();

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
		if (this.logged.isDue()) {
			this.times.addAndGet(-counted);
			this.log.warn(this.text, counted, example);
		}
	}

}
