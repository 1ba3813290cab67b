package live.retwis.locks;

import java.time.Duration;

/**
 * The pause between two tries: random, so that callers that split the votes do not do so
 * again, and longer with each try, so that many callers do not keep each other from it.
 */
final class RetryDelay {

	/** Without a majority nothing is gained by trying often: 50 to 150 ms. */
	private static final long NO_QUORUM_MILLIS = 50;

	private static final long TAKEN_MILLIS = 5;

	/** The longest is 32 times the shortest. */
	private static final int DOUBLINGS = 5;

	private RetryDelay() {
	}

	static Duration after(Throwable failure, long tries, Platform chance) {
		return (failure instanceof LockTaken)
				? between(TAKEN_MILLIS, TAKEN_MILLIS << Math.min(tries + 1, DOUBLINGS), chance)
				: between(NO_QUORUM_MILLIS, 3 * NO_QUORUM_MILLIS, chance);
	}

	private static Duration between(long from, long to, Platform chance) {
		return Duration.ofMillis(chance.between(from, to));
	}

}
