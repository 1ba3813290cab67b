package live.retwis.locks.lab.check;

/**
 * Whether a judge found something that must not happen.
 */
public enum Safety {

	/** Nothing was found. */
	SAFE,

	/** A violation was found. */
	UNSAFE,

	/** The history has no events that this judge looks at. */
	NOT_JUDGED

}
