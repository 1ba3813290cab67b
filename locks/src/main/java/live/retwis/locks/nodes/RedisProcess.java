package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A real redis-server as a child of this program, on 127.0.0.1, to be paused, killed and
 * restarted at will. It ends with this program, unless that is killed. Not for several
 * threads at once.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(15);

	private static final Duration END = Duration.ofSeconds(10);

	/** Somebody else may take a port between its choice and the start. */
	private static final int PORTS_TRIED = 5;

	private static final Set<RedisProcess> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(RedisProcess::close), "redis-processes"));
	}

	private final RedisOptions options;

	private final Path directory;

	private final int port;

	private Process process;

	private RedisProcess(RedisOptions options, Path directory, int port) {
		this.options = options;
		this.directory = directory;
		this.port = port;
		this.process = launch();
	}

	/**
	 * Starts a server and waits until it takes commands: some 30 ms, at most 15 s.
	 * @param options how it is to run
	 * @return the server, to be closed
	 * @throws RedisUnavailableException when it ends or is not ready in time, with the
	 * end of its log, or when no redis-server runs on this machine
	 */
	public static RedisProcess start(RedisOptions options) {
		Path directory = directory(options);
		for (int i = 1;; i++) {
			RedisProcess redis = new RedisProcess(options, directory,
					(options.port() != 0) ? options.port() : freePort());
			try {
				redis.awaitReady();
				OPEN.add(redis);
				return redis;
			}
			catch (RedisUnavailableException ex) {
				boolean lostRace = options.port() == 0 && redis.portWasTaken();
				if (lostRace && i < PORTS_TRIED) {
					continue;
				}
				redis.close();
				throw ex;
			}
		}
	}

	private static Path directory(RedisOptions options) {
		try {
			return (options.directory() == null) ? Files.createTempDirectory("redis-")
					: Files.createDirectories(options.directory()).toAbsolutePath();
		}
		catch (IOException ex) {
			throw new RedisUnavailableException("No directory for redis-server: " + ex, ex);
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new RedisUnavailableException("No free port: " + ex, ex);
		}
	}

	private Process launch() {
		try {
			Files.writeString(this.directory.resolve("redis.conf"), this.options.config(this.port));
			Files.deleteIfExists(log());
			ProcessBuilder builder = new ProcessBuilder(RedisBinary.find().path().toString(), "redis.conf")
				.directory(this.directory.toFile())
				.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
				.redirectErrorStream(true)
				.redirectOutput(log().toFile());
			builder.environment().putAll(this.options.environment());
			return builder.start();
		}
		catch (IOException ex) {
			throw new RedisUnavailableException("redis-server cannot be started in " + this.directory + ": " + ex, ex);
		}
	}

	/**
	 * Ready is the process that we started; a stranger on its port may answer too.
	 */
	private void awaitReady() {
		try (NodeClient client = new NodeClient()) {
			boolean settled = Poll.until(START,
					() -> !this.process.isAlive() || isThis(client.info(this.port)) && client.isReady(this.port));
			if (!settled || !this.process.isAlive()) {
				throw new RedisUnavailableException("redis-server on port " + this.port
						+ (settled ? " ended" : " is not ready after " + START.toSeconds() + " s") + "; its log ends:\n"
						+ LogTail.of(log()));
			}
		}
	}

	private boolean isThis(NodeClient.Reply reply) {
		return reply instanceof NodeClient.Reply.Info info
				&& String.valueOf(pid()).equals(info.fields().get("process_id"));
	}

	private boolean portWasTaken() {
		return !this.process.isAlive() && LogTail.of(log()).contains("Address already in use");
	}

	private Path log() {
		return this.directory.resolve("redis.log");
	}

	public int port() {
		return this.port;
	}

	/**
	 * Its address.
	 * @return {@code redis://127.0.0.1:port}
	 */
	public String uri() {
		return "redis://127.0.0.1:" + this.port;
	}

	/**
	 * Its process id; another one after {@link #restart()}.
	 * @return the id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Where it keeps its files.
	 * @return an absolute path
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * Stops it in its tracks (SIGSTOP): connections stay open and new ones are accepted
	 * by the system, nothing answers.
	 */
	public void pause() {
		Signal.STOP.send(pid());
	}

	/** Lets it go on after {@link #pause()} (SIGCONT). */
	public void resume() {
		Signal.CONT.send(pid());
	}

	/**
	 * Kills it (SIGKILL), paused or not, and waits for its death: some milliseconds, at
	 * most 10 s. What it did not write to its files is lost.
	 */
	public void kill() {
		this.process.destroyForcibly();
		if (!Poll.until(END, () -> !this.process.isAlive())) {
			throw new IllegalStateException("redis-server, process " + pid() + ", outlived SIGKILL");
		}
	}

	/**
	 * Starts it again, with the same port, directory and options, after killing it if it
	 * runs. Waits until it takes commands, as at the start.
	 * @throws RedisUnavailableException as at the start
	 */
	public void restart() {
		kill();
		this.process = launch();
		awaitReady();
	}

	/** Kills it and removes its temporary directory. Does nothing the second time. */
	@Override
	public void close() {
		OPEN.remove(this);
		kill();
		if (this.options.directory() == null && Files.exists(this.directory)) {
			try (Stream<Path> files = Files.walk(this.directory)) {
				for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
					Files.delete(file);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
