package live.retwis.locks.bench;

/**
 * The figures of one round. Times are in µs.
 *
 * @param acquire50 median time to acquire
 * @param acquire99 99th percentile of the time to acquire
 * @param release50 median time to release
 * @param release99 99th percentile of the time to release
 * @param cycles acquisitions with their release, per second
 * @param refused acquisitions that did not get the lock within the wait
 */
record LockFigures(double acquire50, double acquire99, double release50, double release99, double cycles,
		double refused) {
}
