package live.retwis.locks;

import java.time.Duration;

/**
 * Two clocks that stand still until the test moves them.
 */
final class TestTime implements TimeSource {

	private volatile ClockReading now = SYSTEM.now();

	@Override
	public ClockReading now() {
		return this.now;
	}

	/** Moves both clocks on. */
	void pass(Duration time) {
		monotonicPasses(time);
		wallClockIsSet(time);
	}

	/**
	 * Moves only the monotonic clock on. The wall clock was set back by the same time.
	 */
	void monotonicPasses(Duration time) {
		this.now = new ClockReading(this.now.nanos() + time.toNanos(), this.now.millis());
	}

	/**
	 * Moves only the wall clock on. The machine may also have been suspended for this
	 * time.
	 */
	void wallClockIsSet(Duration by) {
		this.now = new ClockReading(this.now.nanos(), this.now.millis() + by.toMillis());
	}

}
