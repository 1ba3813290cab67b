package live.retwis.locks.nodes.proxy;

/**
 * Is told of the commands and replies that pass a proxy. It is called on the proxy's
 * thread, so it must be quick and must not block.
 */
public interface TrafficListener {

	/** A listener that does nothing. */
	TrafficListener NONE = new TrafficListener() {
	};

	/**
	 * A client has sent a command. Faults have not met it yet.
	 * @param command the same object as for its reply
	 */
	default void sent(SentCommand command) {
	}

	/**
	 * A reply is on its way to the client, past all faults.
	 * @param command what it answers
	 * @param reply {@code nil}, a number, a text, the texts of a list with spaces between
	 * them, or an error with a {@code -} before it; 200 characters at most
	 */
	default void answered(SentCommand command, String reply) {
	}

}
