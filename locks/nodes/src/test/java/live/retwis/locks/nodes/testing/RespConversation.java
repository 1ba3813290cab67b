package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A client that sends one line and reads one reply at a time.
 */
final class RespConversation implements AutoCloseable {

	/** Milliseconds. */
	private static final int BOUND = 10_000;

	private final Socket socket;

	private final RespFrameReader reader;

	RespConversation(int port) {
		try {
			this.socket = new Socket("127.0.0.1", port);
			this.socket.setSoTimeout(BOUND);
			this.reader = new RespFrameReader(this.socket.getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void say(String... words) {
		StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			text.append("$" + word.length() + "\r\n" + word + "\r\n");
		}
		try {
			this.socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The next reply, with spaces instead of line ends; empty when the connection has
	 * ended.
	 */
	String hear() {
		try {
			return new String(this.reader.next(), StandardCharsets.US_ASCII).replace("\r\n", " ").strip();
		}
		catch (SocketTimeoutException ex) {
			throw new AssertionError("Nothing heard", ex);
		}
		catch (IOException ex) {
			return "";
		}
	}

	String ask(String... words) {
		say(words);
		return hear();
	}

	boolean hearsNothing() {
		try {
			this.socket.setSoTimeout(100);
			this.reader.next();
			return false;
		}
		catch (SocketTimeoutException ex) {
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			waitAgain();
		}
	}

	private void waitAgain() {
		try {
			this.socket.setSoTimeout(BOUND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		ProxiedConnection.closeQuietly(this.socket);
	}

}
