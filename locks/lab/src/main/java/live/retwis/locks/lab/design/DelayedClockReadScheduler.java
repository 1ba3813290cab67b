package live.retwis.locks.lab.design;

import java.util.Random;

/**
 * Simulated time in which clocks show a slightly later time, as they would if everything
 * took a moment. The order is that of the schedule.
 */
final class DelayedClockReadScheduler extends DesignScheduler {

	/** Longest delay. */
	private static final long LATEST = 5 * MILLI;

	private final Random random;

	private long shown;

	DelayedClockReadScheduler(long seed) {
		this.random = new Random(seed);
	}

	@Override
	long read() {
		this.shown = Math.max(this.shown, now() + (long) (this.random.nextDouble() * LATEST));
		return this.shown;
	}

}
