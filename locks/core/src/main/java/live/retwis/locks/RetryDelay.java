package live.retwis.locks;

import java.time.Duration;

/**
 * The pause between two tries. It is random, so that callers that have split the votes do
 * not split them again. It grows with each try, so that many callers do not keep each
 * other from a majority.
 */
final class RetryDelay {

	/**
	 * The pause when too few nodes voted is 50 to 150 ms. Trying more often would gain
	 * nothing.
	 */
	private static final long NO_QUORUM_MILLIS = 50;

	private static final long TAKEN_MILLIS = 5;

	/** The longest pause is 32 times the shortest. */
	private static final int DOUBLINGS = 5;

	private RetryDelay() {
	}

	static Duration after(Throwable failure, long tries, LockEnvironment chance) {
		return (failure instanceof LockTaken)
				? between(TAKEN_MILLIS, TAKEN_MILLIS << Math.min(tries + 1, DOUBLINGS), chance)
				: between(NO_QUORUM_MILLIS, 3 * NO_QUORUM_MILLIS, chance);
	}

	private static Duration between(long from, long to, LockEnvironment chance) {
		return Duration.ofMillis(chance.between(from, to));
	}

}
