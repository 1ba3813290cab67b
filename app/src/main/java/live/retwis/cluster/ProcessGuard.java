package live.retwis.cluster;

import live.retwis.locks.lab.node.ProcessRegistry;

/**
 * The processes of this program. They are killed when the program is killed, see
 * {@link ProcessRegistry}. Once its end has begun, none can be started any more.
 */
final class ProcessGuard implements AutoCloseable {

	private final ProcessRegistry registry = ProcessRegistry.open();

	private boolean closed;

	/**
	 * A process was started.
	 * @throws ClusterException when the end has begun; then the process is killed
	 */
	synchronized void started(long pid) {
		if (this.closed) {
			ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
			throw new ClusterException("Ended before it was open");
		}
		this.registry.record(pid);
	}

	/** Kills what has not ended yet. */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.registry.close();
	}

}
