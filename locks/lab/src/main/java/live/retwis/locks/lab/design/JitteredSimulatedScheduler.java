package live.retwis.locks.lab.design;

import java.util.Random;

/**
 * Simulated time in which everything happens a little late, as on real nodes. The order
 * is that of the schedule, but clocks show a later time.
 */
final class JitteredSimulatedScheduler extends DesignScheduler {

	/** Longest delay. */
	private static final long LATEST = 5 * MILLI;

	private final Random random;

	private long shown;

	JitteredSimulatedScheduler(long seed) {
		this.random = new Random(seed);
	}

	@Override
	long read() {
		this.shown = Math.max(this.shown, now() + (long) (this.random.nextDouble() * LATEST));
		return this.shown;
	}

}
