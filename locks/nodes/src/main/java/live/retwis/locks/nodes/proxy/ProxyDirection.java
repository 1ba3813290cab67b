package live.retwis.locks.nodes.proxy;

/**
 * Which way bytes travel through a {@link FaultProxy}.
 */
public enum ProxyDirection {

	/** Commands. */
	TO_SERVER,

	/** Replies, and what the server says unasked. */
	TO_CLIENT

}
