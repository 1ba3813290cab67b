package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends a single inline command to a server.
 */
final class Ask {

	private Ask() {
	}

	/** The server's reply, as it was received. */
	static String line(int port, String command) throws IOException {
		return within(5000, port, command);
	}

	/** The same as {@link #line}, with the longest wait in milliseconds. */
	static String within(int millis, int port, String command) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(millis);
			socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
