package live.retwis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.TestRedis;

/**
 * A real Redis on a machine whose clock is wrong: in front of it, the answer to TIME is
 * changed and everything else passes.
 */
public final class SkewedClock implements AutoCloseable {

	private static final Pattern TIME = Pattern.compile("\\*2\r\n\\$10\r\n(\\d{10})\r\n(\\$[1-6]\r\n\\d{1,6}\r\n)");

	private static final int BUFFER = 65_536;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final ServerSocket server;

	private final TestRedis redis;

	private final Duration ahead;

	private SkewedClock(ServerSocket server, TestRedis redis, Duration ahead) {
		this.server = server;
		this.redis = redis;
		this.ahead = ahead;
		start(this::accept);
	}

	/** That server, with a clock that is so far ahead. */
	public static SkewedClock of(TestRedis redis, Duration ahead) {
		try {
			return new SkewedClock(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), redis, ahead);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.server.getLocalPort();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				Socket target = new Socket(this.redis.host(), this.redis.port());
				this.sockets.addAll(List.of(client, target));
				start(() -> pump(client, target, false));
				start(() -> pump(target, client, true));
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private void pump(Socket from, Socket to, boolean answers) {
		byte[] buffer = new byte[BUFFER];
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
				out.write((answers ? skewed(text) : text).getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private String skewed(String text) {
		return TIME.matcher(text)
			.replaceAll((time) -> Matcher.quoteReplacement("*2\r\n$10\r\n"
					+ (Long.parseLong(time.group(1)) + this.ahead.toSeconds()) + "\r\n" + time.group(2)));
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "skewed-clock");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.server.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
