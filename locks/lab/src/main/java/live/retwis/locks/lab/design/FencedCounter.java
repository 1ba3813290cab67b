package live.retwis.locks.lab.design;

/** What the lock of a design protects: a counter, and a register for the fence. */
interface FencedCounter {

	/**
	 * Claims the store for an owner.
	 * @param validity in nanoseconds; a claim without a check of the validity holds for a
	 * lease
	 * @return the owner's number
	 */
	long claim(String claiming, long validity);

	long read();

	/** Writes the counter, unless the fence refuses. */
	boolean write(String writer, long token, long next);

}
