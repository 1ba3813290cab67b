package live.retwis.locks.nodes.testing;

/**
 * A direction through a {@link FaultProxy}.
 */
public enum ProxyDirection {

	/** Commands. */
	TO_SERVER,

	/** Replies and messages. */
	TO_CLIENT

}
