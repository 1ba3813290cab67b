package live.retwis.locks.nodes.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

import io.netty.buffer.Unpooled;

/**
 * A client that sends one line and reads one reply at a time.
 */
final class RespConversation implements AutoCloseable {

	/** Milliseconds. */
	private static final int BOUND = 10_000;

	private static final int BUFFER = 8192;

	private final Socket socket;

	private final RespDecoder decoder = new RespDecoder();

	private final Queue<String> heard = new ArrayDeque<>();

	RespConversation(int port) {
		try {
			this.socket = new Socket("127.0.0.1", port);
			this.socket.setSoTimeout(BOUND);
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
			return next();
		}
		catch (SocketTimeoutException ex) {
			throw new AssertionError("Nothing heard", ex);
		}
		catch (IOException ex) {
			return "";
		}
	}

	private String next() throws IOException {
		byte[] buffer = new byte[BUFFER];
		while (this.heard.isEmpty()) {
			int length = this.socket.getInputStream().read(buffer);
			if (length < 0) {
				return "";
			}
			this.decoder.feed(Unpooled.wrappedBuffer(buffer, 0, length))
				.forEach((value) -> this.heard
					.add(new String(value.bytes(), StandardCharsets.US_ASCII).replace("\r\n", " ").strip()));
		}
		return this.heard.remove();
	}

	String ask(String... words) {
		say(words);
		return hear();
	}

	boolean hearsNothing() {
		try {
			this.socket.setSoTimeout(100);
			next();
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
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
