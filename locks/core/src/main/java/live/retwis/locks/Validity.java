package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a lease counts.
 *
 * @param from just before the first request for a vote was sent
 * @param length the lease minus the drift
 */
record Validity(ClockReading from, Duration length) {

	Duration remaining(ClockReading now) {
		Duration remaining = this.length.minus(now.since(this.from));
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	Instant until() {
		return Instant.ofEpochMilli(this.from.millis()).plus(this.length);
	}

}
