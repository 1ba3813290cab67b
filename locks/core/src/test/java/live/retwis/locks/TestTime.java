package live.retwis.locks;

import java.time.Duration;

/**
 * Both clocks, which stand still until they are moved.
 */
final class TestTime implements TimeSource {

	private volatile Moment now = SYSTEM.now();

	@Override
	public Moment now() {
		return this.now;
	}

	/** As time does. */
	void pass(Duration time) {
		monotonicPasses(time);
		wallClockIsSet(time);
	}

	/** The wall clock is set back by as much meanwhile. */
	void monotonicPasses(Duration time) {
		this.now = new Moment(this.now.nanos() + time.toNanos(), this.now.millis());
	}

	/** Or the machine was suspended for that long. */
	void wallClockIsSet(Duration by) {
		this.now = new Moment(this.now.nanos(), this.now.millis() + by.toMillis());
	}

}
