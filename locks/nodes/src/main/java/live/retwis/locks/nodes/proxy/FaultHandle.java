package live.retwis.locks.nodes.proxy;

/**
 * A fault that lasts until it is closed. Closing it again does nothing.
 */
@FunctionalInterface
public interface FaultHandle extends AutoCloseable {

	/** Ends the fault. */
	@Override
	void close();

}
