package live.retwis.locks.nodes;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * A real redis-server on 127.0.0.1. It is a child of this program and can be paused,
 * killed and restarted. It ends with this program, unless this program is killed or the
 * options say that the caller ends it. Only one thread at a time may change it. Any
 * thread may ask.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(15);

	private static final Duration END = Duration.ofSeconds(10);

	/**
	 * How many ports are tried. Another program may take a port between its choice and
	 * the start.
	 */
	private static final int PORTS_TRIED = 5;

	private static final Set<RedisProcess> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAll(OPEN), "redis-processes"));
	}

	private final RedisBinary binary;

	private final RedisProcessOptions options;

	private final WorkDirectory directory;

	private final int port;

	private volatile Process process;

	private RedisProcess(RedisBinary binary, RedisProcessOptions options, WorkDirectory directory) {
		this.binary = binary;
		this.options = options;
		this.directory = directory;
		this.port = (options.port() != 0) ? options.port() : FreePort.choose();
		this.process = launch();
		if (options.launched() == null) {
			OPEN.add(this);
		}
	}

	/**
	 * Starts a server and waits until it takes commands: some 50 ms, at most 15 s.
	 * @param options how it is to run
	 * @return the server, to be closed
	 * @throws RedisStartException when no redis-server runs on this machine, or when the
	 * server ends or is not ready in time; then with the end of its log
	 */
	public static RedisProcess start(RedisProcessOptions options) {
		RedisBinary binary = options.bundled() ? RedisBinary.bundled() : RedisBinary.find();
		for (int tries = 1;; tries++) {
			RedisProcess redis = new RedisProcess(binary, options, WorkDirectory.of(options.directory()));
			try {
				redis.awaitReady();
				return redis;
			}
			catch (RedisStartException ex) {
				boolean lostRace = options.port() == 0 && redis.portWasTaken();
				redis.close();
				if (!lostRace || tries == PORTS_TRIED) {
					throw ex;
				}
			}
		}
	}

	private Process launch() {
		try {
			Files.writeString(directory().resolve("redis.conf"), this.options.config(this.port));
			Files.deleteIfExists(log());
			ProcessBuilder builder = new ProcessBuilder(this.options.command(this.binary.path()))
				.directory(directory().toFile())
				.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
				.redirectErrorStream(true)
				.redirectOutput(log().toFile());
			builder.environment().putAll(this.options.environment());
			Process process = builder.start();
			LongConsumer launched = this.options.launched();
			if (launched != null) {
				launched.accept(process.pid());
			}
			return process;
		}
		catch (IOException ex) {
			throw new RedisStartException("redis-server cannot be started in " + directory() + ": " + ex, ex);
		}
	}

	/**
	 * Waits until the process that we started is ready. A stranger on its port may answer
	 * too, and does not count.
	 */
	private void awaitReady() {
		try (ServerIdentityProbe client = new ServerIdentityProbe(this.options.password())) {
			boolean settled = Poll.until(START,
					() -> !this.process.isAlive() || isThis(client.info(this.port)) && client.isReady(this.port));
			if (!settled || !this.process.isAlive()) {
				throw new RedisStartException("redis-server on port " + this.port
						+ (settled ? " ended" : " is not ready after " + START.toSeconds() + " s") + "; its log ends:\n"
						+ LogFileTail.of(log()));
			}
		}
	}

	private boolean isThis(ServerIdentityProbe.Reply reply) {
		return reply instanceof ServerIdentityProbe.Reply.Info info
				&& String.valueOf(pid()).equals(info.fields().get("process_id"));
	}

	private boolean portWasTaken() {
		return !this.process.isAlive() && LogFileTail.of(log()).contains("Address already in use");
	}

	private Path log() {
		return directory().resolve("redis.log");
	}

	/**
	 * The path and version of the server.
	 * @return such as {@code /usr/bin/redis-server 7.0.15}
	 */
	public String server() {
		return this.binary.toString();
	}

	public int port() {
		return this.port;
	}

	/**
	 * The address of the server.
	 * @return {@code redis://127.0.0.1:port}, with the password if one is set
	 */
	public String uri() {
		String password = this.options.password();
		return "redis://" + ((password != null) ? ":" + password + "@" : "") + "127.0.0.1:" + this.port;
	}

	/**
	 * The process id. It changes with {@link #restart()}.
	 * @return the id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Where the server keeps its files.
	 * @return the absolute path of the directory
	 */
	public Path directory() {
		return this.directory.path();
	}

	/** Whether the server runs, paused or not. */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Pauses it (SIGSTOP). Connections stay open, the system accepts new ones, and
	 * nothing answers.
	 */
	public void pause() {
		Signal.STOP.send(pid());
	}

	/** Lets it go on after {@link #pause()} (SIGCONT). */
	public void resume() {
		Signal.CONT.send(pid());
	}

	/**
	 * Kills it (SIGKILL), paused or not, and waits for its end: some milliseconds, at
	 * most 10 s. What it has not written to its files is lost.
	 */
	public void kill() {
		this.process.destroyForcibly();
		if (!Poll.until(END, () -> !this.process.isAlive())) {
			throw new IllegalStateException("redis-server, process " + pid() + ", outlived SIGKILL");
		}
	}

	/**
	 * Asks it to end (SIGTERM), so that it writes its files, and waits for its end: at
	 * most 10 s. Then it is killed. It must not be paused.
	 */
	public void terminate() {
		this.process.destroy();
		if (!Poll.until(END, () -> !this.process.isAlive())) {
			kill();
		}
	}

	/**
	 * Starts it again with the same port, directory and options. Kills it before if it
	 * runs. Waits until it takes commands, as at the start.
	 * @throws RedisStartException as at the start
	 */
	public void restart() {
		kill();
		this.process = launch();
		awaitReady();
	}

	/** Removes all files that it ever wrote. Kills it before if it runs. */
	public void forget() {
		kill();
		this.directory.clear();
	}

	/**
	 * Closes each, also after one that cannot be closed.
	 * @throws IllegalStateException when one could not be closed; its cause is the first
	 */
	static void closeAll(Iterable<? extends AutoCloseable> all) {
		List<Exception> failed = new ArrayList<>();
		for (AutoCloseable one : all) {
			try {
				one.close();
			}
			catch (Exception ex) {
				failed.add(ex);
			}
		}
		if (!failed.isEmpty()) {
			throw new IllegalStateException("Could not close " + failed.size(), failed.get(0));
		}
	}

	/** Kills it and removes its temporary directory. A second call does nothing. */
	@Override
	public void close() {
		OPEN.remove(this);
		kill();
		this.directory.removeIfTemporary();
	}

}
