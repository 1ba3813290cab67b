package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * A server that sends a given answer, once on each connection.
 */
final class FakeServer implements AutoCloseable {

	private final ServerSocket server;

	FakeServer(int port, UnaryOperator<String> reply) throws IOException {
		this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
		Thread thread = new Thread(() -> serve(reply), "fake-server");
		thread.setDaemon(true);
		thread.start();
	}

	private void serve(UnaryOperator<String> reply) {
		while (!this.server.isClosed()) {
			try (Socket socket = this.server.accept()) {
				byte[] command = new byte[1000];
				int length = socket.getInputStream().read(command);
				String text = new String(command, 0, Math.max(length, 0), StandardCharsets.UTF_8);
				socket.getOutputStream().write(reply.apply(text).getBytes(StandardCharsets.UTF_8));
				socket.getInputStream().read();
			}
			catch (IOException ex) {
				// The client has closed the connection, or the test is over.
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
