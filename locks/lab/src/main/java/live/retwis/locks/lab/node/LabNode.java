package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import live.retwis.locks.nodes.ProcessState;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;

/**
 * A node of the lab: a real server, and what can be seen of it from outside. One thread
 * at a time does things to it, any may look.
 */
public final class LabNode implements AutoCloseable {

	/** One that is not paused and takes longer has a machine that is too busy. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** At one moment: who has it, for how long, and what time it is. */
	private static final String LOOK = "return {redis.call('HGETALL', KEYS[1]), redis.call('PTTL', KEYS[1]), redis.call('TIME')}";

	private final int number;

	private final ProcessRegistry processRegistry;

	/** Who plays this node: after a fail-over another server than at first. */
	private volatile RedisProcess process;

	private volatile NodeProbe wire;

	private volatile boolean paused;

	private LabNode(int number, RedisProcess process, ProcessRegistry processRegistry) {
		this.number = number;
		this.process = process;
		this.processRegistry = processRegistry;
		this.wire = new NodeProbe(process.port(), PATIENCE);
		processRegistry.record(process.pid());
	}

	/**
	 * Starts it.
	 * @param number by which people call it
	 * @param directory for its files
	 * @param durable whether a crash leaves it its data (AOF, synced at each write)
	 * @param environment for a clock that can be set
	 * @param processRegistry where its process is recorded
	 */
	static LabNode start(int number, Path directory, boolean durable, Map<String, String> environment,
			ProcessRegistry processRegistry) {
		RedisOptions options = RedisOptions.DEFAULT.withDirectory(directory.resolve("node-" + number))
			.with("maxmemory-policy noeviction", "appendonly " + (durable ? "yes" : "no"), "appendfsync always");
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

	/** Where it answers on 127.0.0.1; elsewhere after a fail-over. */
	public int port() {
		return this.process.port();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** SIGKILL. */
	public void kill() {
		this.process.kill();
		this.paused = false;
	}

	/**
	 * Another server plays this node from now on.
	 * @return the one that did so far
	 */
	RedisProcess playedBy(RedisProcess other) {
		RedisProcess former = this.process;
		this.process = other;
		this.wire = new NodeProbe(other.port(), PATIENCE);
		return former;
	}

	/** Starts it again on the same port; with its data, if it is durable. */
	public void restart() {
		try {
			this.process.restart();
		}
		finally {
			this.processRegistry.record(this.process.pid());
		}
	}

	/** Loses its files, and is killed if it is not dead. */
	public void forget() {
		this.process.forget();
		this.paused = false;
	}

	/** SIGSTOP. */
	public void pause() {
		this.process.pause();
		this.paused = true;
	}

	/** SIGCONT. */
	public void resume() {
		this.process.resume();
		this.paused = false;
	}

	/** T for a process that is stopped, as the system tells. */
	public String processState() {
		return !isAlive() ? "gone" : ProcessState.isStopped(this.process.pid()) ? "T" : "running";
	}

	/** Another one for each start; empty when there is no answer. */
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
	 * Asks it over a connection of the lab's own.
	 * @throws UncheckedIOException when it does not answer
	 */
	public List<String> ask(String... command) {
		try {
			return this.wire.ask(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name() + " does not answer", ex);
		}
	}

	/** What it holds of a lock. */
	public KeyHolder holding(String resource) {
		return look(resource).holding();
	}

	/** Looks at it from outside. */
	public NodeObservation look(String resource) {
		if (!isAlive()) {
			return new NodeObservation(KeyHolder.SILENT, "gone", 0);
		}
		if (this.paused) {
			return new NodeObservation(KeyHolder.SILENT, "paused", 0);
		}
		try {
			long here = System.currentTimeMillis();
			List<String> answer = this.wire.ask("EVAL", LOOK, "1", "lock:" + resource);
			List<Long> times = answer.subList(answer.size() - 3, answer.size()).stream().map(Long::valueOf).toList();
			KeyHolder holding = (answer.size() == 3) ? KeyHolder.FREE : new KeyHolder(answer.get(0), times.get(0));
			return new NodeObservation(holding, "up", times.get(1) * 1000 + times.get(2) / 1000 - here);
		}
		catch (IOException | IllegalStateException ex) {
			return new NodeObservation(KeyHolder.SILENT, "up", 0);
		}
	}

	@Override
	public void close() {
		this.process.close();
	}

}
