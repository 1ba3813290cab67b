package live.retwis.importing;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells what an earlier complete run has seen, and notes what this one sees. Numbers of
 * the PHP Retwis count from 1, so what is new there has a higher number.
 */
class ImportMark {

	private final long before;

	private final AtomicLong highest;

	ImportMark(long before) {
		this.before = before;
		this.highest = new AtomicLong(before);
	}

	/**
	 * Notes a number.
	 * @return whether an earlier run has seen it
	 */
	boolean pass(long number) {
		this.highest.accumulateAndGet(number, Math::max);
		return number <= this.before;
	}

	/** The highest number that any run has seen. */
	long highest() {
		return this.highest.get();
	}

}
