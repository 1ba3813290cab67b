package live.retwis.locks.nodes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for something that only asking again can tell, such as the end of another
 * process, its port, or its lock.
 */
public final class Poll {

	/** How long to wait between two questions. */
	static final Duration STEP = Duration.ofMillis(20);

	private Poll() {
	}

	/**
	 * Asks at once and then every 20 ms.
	 * @param bound the longest wait
	 * @param done the question
	 * @return whether the answer became yes. False when the bound has passed, or when the
	 * thread was interrupted; its interrupt flag stays set
	 */
	public static boolean until(Duration bound, BooleanSupplier done) {
		long end = System.nanoTime() + bound.toNanos();
		while (!done.getAsBoolean()) {
			if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
				return false;
			}
			LockSupport.parkNanos(STEP.toNanos());
		}
		return true;
	}

}
