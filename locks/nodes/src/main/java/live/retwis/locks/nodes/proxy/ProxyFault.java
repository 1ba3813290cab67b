package live.retwis.locks.nodes.proxy;

/**
 * A fault that is there until it is closed. Closing it a second time does nothing.
 */
@FunctionalInterface
public interface ProxyFault extends AutoCloseable {

	/** Undoes it. */
	@Override
	void close();

}
