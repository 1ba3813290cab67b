package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Requests that no ordinary HTTP client would send. */
public final class RawHttp {

	private static final int WAIT_MILLIS = 10_000;

	private RawHttp() {
	}

	/**
	 * GET of an address that is sent unchanged.
	 * @return the whole response: status line, headers and body
	 */
	public static String get(Site site, String path, String... headers) {
		return get(site.port(), path, headers);
	}

	/**
	 * GET of an address that is sent unchanged, from a server on this machine.
	 * @return the whole response: status line, headers and body
	 */
	public static String get(int port, String path, String... headers) {
		return getFrom("localhost", port, path, headers);
	}

	/**
	 * GET from a server on this machine, with any value of the header {@code Host}.
	 * @return the whole response: status line, headers and body
	 */
	public static String getFrom(String host, int port, String path, String... headers) {
		String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
				+ String.join("", Arrays.stream(headers).map((header) -> header + "\r\n").toList()) + "\r\n";
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(WAIT_MILLIS);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(path, ex);
		}
	}

}
