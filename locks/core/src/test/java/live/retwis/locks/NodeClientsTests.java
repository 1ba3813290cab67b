package live.retwis.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.connection.ConnectionListener;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class NodeClientsTests {

	private static final int DEATHS = 20;

	/** Milliseconds after which a client gives up connecting. */
	private static final int LATEST = 500;

	private final NodeClients clients = new NodeClients(Duration.ofMillis(100), 1, NodeTls.OF_JVM);

	@AfterEach
	void close() {
		this.clients.close();
	}

	private static long timers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("redisson-timer"))
			.count();
	}

	/**
	 * A node that answers the handshake and then closes the connection.
	 * @return whether a client connected; on a busy machine that may take longer than the
	 * client waits
	 */
	private static boolean dyingNode(ServerSocket node) {
		try (node; Socket connection = node.accept()) {
			connection.getInputStream().read(new byte[1024]);
			connection.getOutputStream().write("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
			connection.setSoLinger(true, 0);
			return true;
		}
		catch (SocketTimeoutException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void connect(ServerSocket node) {
		NodeAddress address = NodeAddress.parse("redis://127.0.0.1:" + node.getLocalPort());
		assertThat(address).isNotNull();
		try {
			this.clients.connect(address, new QuietConnections()).shutdown();
		}
		catch (RuntimeException ex) {
			// This is expected, unless the client was quicker than the node.
		}
	}

	@Test
	void aNodeThatDiesDuringTheConnectLeavesNoThreadBehind() throws Exception {
		long before = timers();
		for (int deaths = 0; deaths < DEATHS;) {
			ServerSocket node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
			node.setSoTimeout(LATEST);
			CompletableFuture<Boolean> death = CompletableFuture.supplyAsync(() -> dyingNode(node))
				.orTimeout(TestNodes.LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
			connect(node);
			deaths += death.join() ? 1 : 0;
		}
		TestNodes.await().untilAsserted(() -> assertThat(timers()).isLessThanOrEqualTo(before));
	}

	@Test
	void theConnectionToANodeThatNeverAnswersIsClosed() throws Exception {
		try (ServerSocket node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			node.setSoTimeout((int) TestNodes.LONGEST_WAIT.toMillis());
			connect(node);
			try (Socket connection = node.accept()) {
				connection.setSoTimeout((int) TestNodes.LONGEST_WAIT.toMillis());
				assertThat(new String(connection.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
					.contains("PING");
			}
		}
	}

	private record QuietConnections() implements ConnectionListener {

		@Override
		@Deprecated
		public void onConnect(InetSocketAddress address) {
		}

		@Override
		@Deprecated
		public void onDisconnect(InetSocketAddress address) {
		}

	}

}
