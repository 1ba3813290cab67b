package live.retwis.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import live.retwis.locks.nodes.testing.TestRedis;

/**
 * A long way to Redis, on which round trips can be counted. What a client says on a
 * connection is sent on in one batch when it has been quiet for a while, and so are the
 * answers. A command that needs the answer of another cannot be in the same batch with
 * it, so a page that needs n round trips makes n batches, however fast the machine is.
 * <p>
 * The site's own work in the background goes the same way. It is told apart by its keys:
 * while nobody posts or follows, it touches the commit log and nothing else, and a page
 * never reads the log alone. A batch in which both travel counts as one of the page.
 */
public final class RoundTripProxy implements AutoCloseable {

	private static final int QUIET_MILLIS = 60;

	private static final int BUFFER = 65_536;

	/** Keys that only pages touch. */
	private static final List<String> OF_PAGES = List.of("\nauth:", "\nuser:", "\nusername:", "\nusers:recent",
			"\ntimeline:", "\npost:", "\nposts:", "\n{live}:public", "\nfollowers:", "\nfollowing:", "\nreplies:");

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<String> batches = new CopyOnWriteArrayList<>();

	private final ServerSocket server;

	private final TestRedis redis;

	private RoundTripProxy(ServerSocket server, TestRedis redis) {
		this.server = server;
		this.redis = redis;
		start(this::accept);
	}

	public static RoundTripProxy to(TestRedis redis) {
		try {
			return new RoundTripProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), redis);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** How many batches with that text have gone to Redis so far. */
	public long saw(String text) {
		return this.batches.stream().filter((batch) -> batch.contains(text)).count();
	}

	/** The round trips that a page needs. */
	public <T> Counted<T> count(Supplier<T> page) {
		int before = this.batches.size();
		T answer = page.get();
		return new Counted<>(answer,
				this.batches.stream()
					.skip(before)
					.filter((batch) -> OF_PAGES.stream().anyMatch(batch::contains))
					.map((batch) -> batch.replaceAll("(?:[*$]\\d+)?\r\n", " "))
					.toList());
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				Socket target = new Socket(this.redis.host(), this.redis.port());
				this.sockets.addAll(List.of(client, target));
				start(() -> pump(client, target, true));
				start(() -> pump(target, client, false));
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private void pump(Socket from, Socket to, boolean commands) {
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (byte[] batch = batch(from, in); batch.length > 0; batch = batch(from, in)) {
				if (commands) {
					this.batches.add(new String(batch, StandardCharsets.ISO_8859_1));
				}
				out.write(batch);
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	/** All that comes until it is quiet; empty at the end. */
	private static byte[] batch(Socket socket, InputStream in) throws IOException {
		ByteArrayOutputStream batch = new ByteArrayOutputStream();
		byte[] buffer = new byte[BUFFER];
		try {
			socket.setSoTimeout(0);
			for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
				batch.write(buffer, 0, read);
				socket.setSoTimeout(QUIET_MILLIS);
			}
		}
		catch (SocketTimeoutException ex) {
			// Quiet.
		}
		return batch.toByteArray();
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "round-trip-proxy");
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

	/**
	 * An answer and what it cost.
	 *
	 * @param answer as it came
	 * @param roundTrips the commands of each round trip to Redis
	 */
	public record Counted<T>(T answer, List<String> roundTrips) {
	}

}
