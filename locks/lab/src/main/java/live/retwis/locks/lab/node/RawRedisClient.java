package live.retwis.locks.lab.node;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a Redis on this machine directly, past all proxies, with a new connection for each
 * question. What the lab sees must not depend on the clients and links that it plays
 * with.
 */
public final class RawRedisClient {

	private final int port;

	private final Duration patience;

	/**
	 * A probe of one server.
	 * @param port of 127.0.0.1
	 * @param patience the longest wait for a connection and for an answer
	 */
	public RawRedisClient(int port, Duration patience) {
		this.port = port;
		this.patience = patience;
	}

	/**
	 * Sends one command.
	 * @return the strings of the answer in their order, numbers as text; nothing for
	 * values that do not exist
	 * @throws IOException when there is no answer in time
	 * @throws IllegalStateException with the words of an error that the server answered
	 */
	public List<String> ask(String... command) throws IOException {
		try (RawConnection conversation = open()) {
			return conversation.ask(command);
		}
	}

	/**
	 * Opens a connection for several commands.
	 * @throws IOException when the server cannot be reached in time
	 */
	public RawConnection open() throws IOException {
		return new RawConnection(this.port, (int) this.patience.toMillis());
	}

	/** A connection, to be closed. */
	public static final class RawConnection implements AutoCloseable {

		private final Socket socket = new Socket();

		private final InputStream in;

		private RawConnection(int port, int patienceMillis) throws IOException {
			try {
				this.socket.connect(new InetSocketAddress("127.0.0.1", port), patienceMillis);
				this.socket.setSoTimeout(patienceMillis);
				this.in = new BufferedInputStream(this.socket.getInputStream());
			}
			catch (IOException ex) {
				this.socket.close();
				throw ex;
			}
		}

		/** Sends one command, as {@link RawRedisClient#ask}. */
		public List<String> ask(String... command) throws IOException {
			this.socket.getOutputStream().write(encode(command));
			List<String> answer = new ArrayList<>();
			read(this.in, answer);
			return answer;
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

	}

	private static byte[] encode(String... command) {
		StringBuilder text = new StringBuilder("*" + command.length + "\r\n");
		for (String word : command) {
			text.append('$')
				.append(word.getBytes(StandardCharsets.UTF_8).length)
				.append("\r\n")
				.append(word)
				.append("\r\n");
		}
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

	private static void read(InputStream in, List<String> answer) throws IOException {
		String line = line(in);
		String text = line.substring(1);
		switch (line.charAt(0)) {
			case '-' -> throw new IllegalStateException(text);
			case '*' -> {
				for (int i = 0; i < Integer.parseInt(text); i++) {
					read(in, answer);
				}
			}
			case '$' -> {
				if (!text.equals("-1")) {
					answer.add(new String(in.readNBytes(Integer.parseInt(text)), StandardCharsets.UTF_8));
					line(in);
				}
			}
			default -> answer.add(text);
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException("The server closed the connection");
			}
			line.append((char) next);
		}
		return line.toString().strip();
	}

}
