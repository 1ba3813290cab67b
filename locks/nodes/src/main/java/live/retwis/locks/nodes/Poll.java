package live.retwis.locks.nodes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for what only asking again can tell: another process, its port, its lock.
 */
public final class Poll {

	private static final Duration STEP = Duration.ofMillis(20);

	private Poll() {
	}

	/**
	 * Asks at once and then every 20 ms.
	 * @param bound the longest wait
	 * @param done the question
	 * @return whether the answer became yes; no when the bound passed or the thread was
	 * interrupted, which stays set
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
