package live.retwis.locks.lab.proxy;

/**
 * Which way bytes travel.
 */
public enum Way {

	/** Commands. */
	TO_NODE,

	/** Replies. */
	TO_CLIENT

}
