package live.retwis.locks.lab.design;

import java.util.concurrent.locks.LockSupport;

/**
 * Real time, in which a schedule is played slowly. Each task waits for its time, and runs
 * after all that come before it in the schedule. So the order is that of the schedule,
 * even when the machine is late.
 */
final class PacedScheduler extends DesignScheduler {

	/**
	 * How much longer everything lasts than in the schedule. The slower, the less the
	 * time matters that real commands take.
	 */
	static final int SLOWNESS = 2;

	private final long zero = System.nanoTime();

	@Override
	long read() {
		return (System.nanoTime() - this.zero) / SLOWNESS;
	}

	@Override
	long lasting(long nanos) {
		return nanos * SLOWNESS;
	}

	@Override
	long stamp(long time) {
		return this.zero + time * SLOWNESS;
	}

	/**
	 * Waits.
	 * @throws IllegalStateException when the thread is interrupted
	 */
	@Override
	void reach(long time) {
		for (long rest = rest(time); rest > 0; rest = rest(time)) {
			LockSupport.parkNanos(rest);
			if (Thread.currentThread().isInterrupted()) {
				throw new IllegalStateException("The schedule was interrupted");
			}
		}
	}

	private long rest(long time) {
		return stamp(time) - System.nanoTime();
	}

}
