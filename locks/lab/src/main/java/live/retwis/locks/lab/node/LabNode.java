package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import live.retwis.locks.nodes.ProcessProbe;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;

/**
 * A node of the lab: a real server, and what can be seen of it from outside. One thread
 * at a time may change it. Any thread may look at it.
 */
public final class LabNode implements AutoCloseable {

	/** The longest wait for an answer to a look, after which others want to look. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/**
	 * The longest wait for an answer to a command. A round fails without it, and a busy
	 * machine may take a second.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(5);

	/**
	 * Asks at one moment who has the lock, for how long, and what time it is. Most locks
	 * are hashes, and those of the tutorials are strings.
	 */
	private static final String LOOK = """
			local owner
			if redis.call('TYPE', KEYS[1]).ok == 'string' then
				owner = {redis.call('GET', KEYS[1]), '1'}
			else
				owner = redis.call('HGETALL', KEYS[1])
			end
			return {owner, redis.call('PTTL', KEYS[1]), redis.call('TIME')}""";

	private final int number;

	private final ProcessRegistry processRegistry;

	private final RedisProcess first;

	/**
	 * The server that plays this node. After a fail-over it is another one than at first.
	 */
	private volatile RedisProcess process;

	private volatile RawRedisClient wire;

	private volatile boolean paused;

	private LabNode(int number, RedisProcess process, ProcessRegistry processRegistry) {
		this.number = number;
		this.first = process;
		this.process = process;
		this.processRegistry = processRegistry;
		this.wire = new RawRedisClient(process.port(), PATIENCE);
		processRegistry.record(process.pid());
	}

	/**
	 * Starts a node.
	 * @param number by which people call it
	 * @param directory for its files
	 * @param durable whether it keeps its data over a crash (AOF, synced at each write)
	 * @param environment for a clock that can be set
	 * @param processRegistry where its process is recorded
	 */
	static LabNode start(int number, Path directory, boolean durable, Map<String, String> environment,
			ProcessRegistry processRegistry) {
		RedisProcessOptions options = RedisProcessOptions.DEFAULT.withDirectory(directory.resolve("node-" + number))
			.with("maxmemory 64mb", "maxmemory-policy noeviction", "appendonly " + (durable ? "yes" : "no"),
					"appendfsync always");
		for (Map.Entry<String, String> variable : environment.entrySet()) {
			options = options.withEnvironment(variable.getKey(), variable.getValue());
		}
		return new LabNode(number, RedisProcess.start(options), processRegistry);
	}

	public int number() {
		return this.number;
	}

	public String name() {
		return "node " + this.number;
	}

	/** Its port on 127.0.0.1. After a fail-over it is another one. */
	public int port() {
		return this.process.port();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** Whether it runs and is not paused. */
	public boolean isUp() {
		return isAlive() && !this.paused;
	}

	/** Kills it (SIGKILL). */
	public void kill() {
		this.process.kill();
		this.paused = false;
	}

	/**
	 * Has another server play this node from now on.
	 * @return the server that played it so far
	 */
	RedisProcess playedBy(RedisProcess other) {
		RedisProcess former = this.process;
		this.process = other;
		this.wire = new RawRedisClient(other.port(), PATIENCE);
		return former;
	}

	/** Whether a replica plays this node, after a fail-over. */
	public boolean isPlayedByReplica() {
		return this.process != this.first;
	}

	/**
	 * Starts it again on the same port. A durable node has its data then. A replica that
	 * plays it is a master again, which its configuration file does not say.
	 */
	public void restart() {
		try {
			this.process.restart();
		}
		finally {
			this.processRegistry.record(this.process.pid());
		}
		if (isPlayedByReplica()) {
			ask("REPLICAOF", "NO", "ONE");
		}
	}

	/** Removes its files. Kills it before if it runs. */
	public void forget() {
		this.process.forget();
		this.paused = false;
	}

	/** Pauses it (SIGSTOP). */
	public void pause() {
		this.process.pause();
		this.paused = true;
	}

	/** Lets it go on (SIGCONT). */
	public void resume() {
		this.process.resume();
		this.paused = false;
	}

	/** The state of its process as the system tells it; T for one that is stopped. */
	public String processState() {
		return !isAlive() ? "gone" : ProcessProbe.isStopped(this.process.pid()) ? "T" : "running";
	}

	/**
	 * The id of the running server. It changes with each start. Empty when there is no
	 * answer.
	 */
	public String runId() {
		try {
			String info = this.wire.ask("INFO", "server").get(0);
			return info.lines()
				.filter((line) -> line.startsWith("run_id:"))
				.map((line) -> line.substring("run_id:".length()).strip())
				.findFirst()
				.orElse("");
		}
		catch (IOException | IllegalStateException ex) {
			return "";
		}
	}

	/**
	 * Asks the node over a connection of the lab's own.
	 * @throws UncheckedIOException when it does not answer within 5 s
	 */
	public List<String> ask(String... command) {
		try {
			return new RawRedisClient(this.process.port(), LONGEST).ask(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name() + " does not answer", ex);
		}
	}

	/** What it holds of a lock. */
	public KeyState holding(String resource) {
		return look(resource).holding();
	}

	/** Looks at it from outside. */
	public NodeObservation look(String resource) {
		if (!isAlive()) {
			return new NodeObservation(KeyState.SILENT, "gone", 0);
		}
		if (this.paused) {
			return new NodeObservation(KeyState.SILENT, "paused", 0);
		}
		try {
			long here = System.currentTimeMillis();
			List<String> answer = this.wire.ask("EVAL", LOOK, "1", "lock:" + resource);
			List<Long> times = answer.subList(answer.size() - 3, answer.size()).stream().map(Long::valueOf).toList();
			KeyState holding = (answer.size() == 3) ? KeyState.FREE : new KeyState(answer.get(0), times.get(0));
			return new NodeObservation(holding, "up", times.get(1) * 1000 + times.get(2) / 1000 - here);
		}
		catch (IOException | IllegalStateException ex) {
			return new NodeObservation(KeyState.SILENT, "up", 0);
		}
	}

	@Override
	public void close() {
		this.process.close();
	}

}
