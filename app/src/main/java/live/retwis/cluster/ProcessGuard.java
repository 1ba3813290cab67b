package live.retwis.cluster;

import java.io.UncheckedIOException;

import live.retwis.locks.lab.node.ProcessRegistry;

/**
 * The processes of this program. They are killed when the program is killed, see
 * {@link ProcessRegistry}. Once its end has begun, none can be started any more.
 */
final class ProcessGuard implements AutoCloseable {

	private final ProcessRegistry registry = ProcessRegistry.open();

	private boolean closed;

	/**
	 * A process was started. Unless it is recorded here, it is killed.
	 * @throws ClusterException when the end has begun
	 * @throws UncheckedIOException when it cannot be recorded
	 */
	synchronized void started(long pid) {
		try {
			if (this.closed) {
				throw new ClusterException("Ended before it was open");
			}
			this.registry.record(pid);
		}
		catch (RuntimeException ex) {
			ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
			throw ex;
		}
	}

	/** Kills what has not ended yet. */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.registry.close();
	}

}
