package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TestPortsTests {

	private static final int PORTS = 300;

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
	}

	@Test
	void aPortWithAServerIsNotFree() throws IOException {
		int port = TestPorts.next();
		assertThat(TestPorts.isFree(port)).isTrue();
		try (ServerSocket server = listen(port)) {
			assertThat(TestPorts.isFree(server.getLocalPort())).isFalse();
		}
	}

	/** A new process has copies of the sockets of this one for a moment. */
	@Test
	void aPortCanBeListenedOnWhileProcessesAreStarted() throws IOException {
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> starts = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				start();
			}
		});
		try {
			for (int i = 0; i < PORTS; i++) {
				listen(TestPorts.next()).close();
			}
		}
		finally {
			done.set(true);
			starts.join();
		}
	}

	private static void start() {
		try {
			new ProcessBuilder("true").start().waitFor();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
