package live.retwis.locks.lab.check;

/**
 * Whether anybody got the lock while the faults were there.
 */
public enum Liveness {

	/** Somebody did. */
	ACQUIRED,

	/** Nobody did. */
	NONE

}
