package live.retwis.learn;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a scratch server, in the protocol RESP 2. The experiments need one that
 * sends each command at once and alone, and never sends it again. It blocks its thread.
 */
final class RespConnection implements AutoCloseable {

	/**
	 * Bytes of the longest text, and elements of the longest list, that an experiment may
	 * be answered with.
	 */
	private static final int LONGEST = 100_000;

	private final Socket socket = new Socket();

	private final InputStream in;

	/**
	 * Connects.
	 * @param port of a server on 127.0.0.1
	 * @param limit longest wait for the connection
	 */
	RespConnection(int port, Duration limit) throws IOException {
		this.socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis(limit));
		this.socket.setTcpNoDelay(true);
		this.in = new BufferedInputStream(this.socket.getInputStream());
	}

	/**
	 * Sends a command and waits for the reply.
	 * @param limit longest wait for each part of the reply
	 * @return the reply, which may be an error
	 * @throws IOException when the server does not answer in time, or has gone
	 */
	RespReply send(List<String> command, Duration limit) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(line("*" + command.size()));
		for (String word : command) {
			byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
			out.writeBytes(line("$" + bytes.length));
			out.writeBytes(bytes);
			out.writeBytes(line(""));
		}
		this.socket.getOutputStream().write(out.toByteArray());
		return receive(limit);
	}

	/** Waits for a reply, or for a message after a SUBSCRIBE. */
	RespReply receive(Duration limit) throws IOException {
		this.socket.setSoTimeout(millis(limit));
		return read();
	}

	private static byte[] line(String text) {
		return (text + "\r\n").getBytes(StandardCharsets.UTF_8);
	}

	/** A time-out of 0 would be none at all. */
	private static int millis(Duration limit) {
		return Math.max((int) limit.toMillis(), 1);
	}

	private RespReply read() throws IOException {
		String line = readLine();
		char type = line.charAt(0);
		String rest = line.substring(1);
		return switch (type) {
			case '$' -> rest.equals("-1") ? RespReply.NOTHING : RespReply.of(type, readText(length(rest)));
			case '*' -> rest.equals("-1") ? RespReply.NOTHING : new RespReply(type, "", readList(length(rest)));
			case '+', '-', ':' -> RespReply.of(type, rest);
			default -> throw new IOException("This is not a reply of Redis: " + line);
		};
	}

	private static int length(String digits) throws IOException {
		int length = Integer.parseInt(digits);
		if (length > LONGEST) {
			throw new IOException("The reply is too long: " + length);
		}
		return length;
	}

	private List<RespReply> readList(int size) throws IOException {
		List<RespReply> elements = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			elements.add(read());
		}
		return elements;
	}

	private String readText(int length) throws IOException {
		byte[] bytes = this.in.readNBytes(length + 2);
		if (bytes.length < length + 2) {
			throw new EOFException("The server has closed the connection");
		}
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	private String readLine() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next < 0) {
				throw new EOFException("The server has closed the connection");
			}
			if (line.size() > LONGEST) {
				throw new IOException("The reply is too long");
			}
			line.write(next);
		}
		String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
		if (text.isEmpty()) {
			throw new IOException("This is not a reply of Redis: an empty line");
		}
		return text;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// The server is gone, and with it the connection.
		}
	}

}
