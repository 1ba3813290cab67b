package live.retwis.locks.bench;

/**
 * What one round showed; times in µs.
 *
 * @param acquire50 median time to acquire
 * @param acquire99 its 99th percentile
 * @param release50 median time to release
 * @param release99 its 99th percentile
 * @param cycles acquired and released, a second
 * @param refused acquisitions that did not get the lock within the wait
 */
record LockFigures(double acquire50, double acquire99, double release50, double release99, double cycles,
		double refused) {
}
