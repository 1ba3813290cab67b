package live.retwis.locks.lab.check;

/**
 * Whether a checker found something that must not happen.
 */
public enum Safety {

	/** Nothing was found. */
	SAFE,

	/** A violation was found. */
	UNSAFE,

	/** The history has no events that this checker looks at. */
	NOT_JUDGED

}
