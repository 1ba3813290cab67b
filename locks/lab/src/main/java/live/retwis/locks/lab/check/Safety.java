package live.retwis.locks.lab.check;

/**
 * Whether a judge found what must not be.
 */
public enum Safety {

	/** Nothing was found. */
	SAFE,

	/** A violation was found. */
	UNSAFE,

	/** The history has nothing that this judge looks at. */
	NOT_JUDGED

}
