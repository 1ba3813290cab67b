package live.retwis.importing;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells what an earlier complete run has seen, and notes what this one sees. Numbers of
 * the PHP Retwis count from 1, so what is new there has a higher number. What was added
 * there during this run is imported, but not noted, because this run may have missed some
 * of it.
 */
class HighestImportedNumber {

	private final long before;

	private final long given;

	private final AtomicLong highest;

	/**
	 * Begins with what an earlier run has seen.
	 * @param before the highest number that an earlier run has seen
	 * @param given the last number that was given before this run began
	 */
	HighestImportedNumber(long before, long given) {
		this.before = before;
		this.given = given;
		this.highest = new AtomicLong(before);
	}

	/**
	 * Notes a number.
	 * @return whether an earlier run has seen it
	 */
	boolean pass(long number) {
		if (number <= this.given) {
			this.highest.accumulateAndGet(number, Math::max);
		}
		return number <= this.before;
	}

	/** The highest number that any run has seen. */
	long highest() {
		return this.highest.get();
	}

}
