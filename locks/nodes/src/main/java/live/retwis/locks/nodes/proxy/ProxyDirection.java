package live.retwis.locks.nodes.proxy;

/**
 * A direction through a {@link FaultProxy}.
 */
public enum ProxyDirection {

	/** Commands. */
	TO_SERVER,

	/** Replies and messages. */
	TO_CLIENT

}
