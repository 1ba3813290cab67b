package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/**
 * Starts one process after the other until it is closed. Each has copies of the sockets
 * of this one for a moment.
 */
public final class StartingProcesses implements AutoCloseable {

	private volatile boolean closed;

	private final CompletableFuture<Void> starts = CompletableFuture.runAsync(() -> {
		while (!this.closed) {
			start();
		}
	});

	private static void start() {
		try {
			new ProcessBuilder("true").start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.starts.join();
	}

}
