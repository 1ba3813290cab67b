package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One inline command, to look at a server from outside.
 */
final class Ask {

	private Ask() {
	}

	/** The server's raw reply. */
	static String line(int port, String command) throws IOException {
		return within(5000, port, command);
	}

	/** As {@link #line}, with the longest wait in milliseconds. */
	static String within(int millis, int port, String command) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(millis);
			socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
