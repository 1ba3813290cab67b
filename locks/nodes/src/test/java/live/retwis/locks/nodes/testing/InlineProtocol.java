package live.retwis.locks.nodes.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * Sends inline commands whose reply is one line. Nothing else is needed to manage a
 * server.
 */
final class InlineProtocol {

	/** Milliseconds to connect, and the same again for the answer. */
	private static final int TIMEOUT = 5000;

	private InlineProtocol() {
	}

	static void expect(String reply, String host, int port, String command) {
		try {
			String line = send(host, port, command);
			if (!reply.equals(line)) {
				throw new IllegalStateException(command + " on " + host + ":" + port + " answered " + line);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command + " on " + host + ":" + port, ex);
		}
	}

	static void awaitReady(String host, int port) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(50))
			.atMost(Duration.ofSeconds(15))
			.ignoreExceptions()
			.untilAsserted(() -> expect("+PONG", host, port, "PING"));
	}

	private static String send(String host, int port, String command) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), TIMEOUT);
			socket.setSoTimeout(TIMEOUT);
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			return String
				.valueOf(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
					.readLine());
		}
	}

}
