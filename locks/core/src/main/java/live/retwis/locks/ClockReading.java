package live.retwis.locks;

import java.time.Duration;

/**
 * A point in time by both clocks.
 *
 * @param nanos of the monotonic clock, which stands still while the machine is suspended
 * @param millis of the wall clock, since 1970; this clock may be set
 */
record ClockReading(long nanos, long millis) {

	/** The time since a start, by the clock that measured more of it. */
	Duration since(ClockReading start) {
		Duration monotonic = Duration.ofNanos(this.nanos - start.nanos);
		Duration wall = Duration.ofMillis(this.millis - start.millis);
		return (wall.compareTo(monotonic) > 0) ? wall : monotonic;
	}

}
