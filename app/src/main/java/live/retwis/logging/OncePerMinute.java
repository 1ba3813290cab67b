package live.retwis.logging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets one log line of a kind through in each minute, so that nobody can fill the log.
 */
public final class OncePerMinute {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	/** Whether a line may be logged now. */
	public boolean isDue() {
		long due = this.next.get();
		long now = System.nanoTime();
		return now - due >= 0 && this.next.compareAndSet(due, now + MINUTE);
	}

}
