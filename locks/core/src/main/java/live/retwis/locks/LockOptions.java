package live.retwis.locks;

import java.time.Duration;

/**
 * How a lock is to be taken.
 *
 * @param lease how long the nodes keep the lock for an owner that does not give it back;
 * whole milliseconds, at least 10
 * @param waitTime how long to try; zero for one try. Then only time-outs bound it: of
 * each node for its vote, and of the fence's own client for its claim
 * @param driftFactor by how much the clocks of the nodes may run apart, as a part of the
 * lease, 0 to 0.5; two milliseconds are added to that
 * @param minimumValidity how much of the lease must be left once the lock is acquired;
 * with less left, it counts as not acquired
 */
public record LockOptions(Duration lease, Duration waitTime, double driftFactor, Duration minimumValidity) {

	/** One percent. */
	public static final double DRIFT_FACTOR = 0.01;

	private static final Duration DRIFT_FLOOR = Duration.ofMillis(2);

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

	public LockOptions {
		LockSettings.check(lease.compareTo(SHORTEST_LEASE) >= 0, "A lease of " + lease + " is under " + SHORTEST_LEASE);
		LockSettings.check(!waitTime.isNegative(), "A wait of " + waitTime + " is negative");
		LockSettings.check(driftFactor >= 0 && driftFactor <= 0.5,
				"A drift factor of " + driftFactor + " is not in 0 to 0.5");
		LockSettings.check(!minimumValidity.isNegative(), "A minimum validity of " + minimumValidity + " is negative");
		LockSettings.check(minimumValidity.compareTo(validity(lease, driftFactor)) < 0,
				"A minimum validity of " + minimumValidity + " can never be left of a lease of " + lease);
	}

	/**
	 * Options with a drift of 1 %, and with at least a tenth of the lease left.
	 * @param lease as above
	 * @param waitTime as above
	 * @return the options
	 */
	public static LockOptions of(Duration lease, Duration waitTime) {
		return new LockOptions(lease, waitTime, DRIFT_FACTOR, lease.dividedBy(10));
	}

	/** The lease minus the time by which the clocks may run apart. */
	Duration validity() {
		return validity(this.lease, this.driftFactor);
	}

	private static Duration validity(Duration lease, double driftFactor) {
		return lease.minusNanos((long) (lease.toNanos() * driftFactor)).minus(DRIFT_FLOOR);
	}

}
