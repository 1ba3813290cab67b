package live.retwis.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends a single inline command to a node.
 */
final class InlineCommand {

	private static final int TIMEOUT_MILLIS = 5000;

	private InlineCommand() {
	}

	/** The server's reply, as it was received. */
	static String ask(int port, String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command + " to " + port, ex);
		}
	}

}
