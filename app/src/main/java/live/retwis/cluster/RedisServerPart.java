package live.retwis.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.node.RawRedisClient;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;

/**
 * A Redis server of a cluster: a data node, a lock node or a Sentinel. One thread at a
 * time may change it. Any thread may ask it.
 */
final class RedisServerPart {

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final String name;

	private final RedisProcess process;

	private final RawRedisClient probe;

	private RedisServerPart(String name, RedisProcess process) {
		this.name = name;
		this.process = process;
		this.probe = new RawRedisClient(process.port(), PATIENCE);
	}

	/** Starts the server and waits until it takes commands, at most 15 s. */
	static RedisServerPart start(String name, RedisProcessOptions options, ProcessGuard guard) {
		return new RedisServerPart(name, RedisProcess.start(options.withEndByCaller(guard::started)));
	}

	String name() {
		return this.name;
	}

	int port() {
		return this.process.port();
	}

	String address() {
		return "127.0.0.1:" + port();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** {@code up} or {@code down}. */
	PartState state() {
		return isAlive() ? PartState.UP : PartState.DOWN;
	}

	void kill() {
		this.process.kill();
	}

	/** Starts it again on the same port, with the data that it has in its files. */
	void restart() {
		this.process.restart();
	}

	/** Ends it. A server that keeps data writes its files first. */
	void end() {
		this.process.terminate();
		this.process.close();
	}

	/**
	 * Sends one command.
	 * @return the texts of the answer; empty when there is none within half a second, or
	 * when it is an error
	 */
	List<String> ask(String... command) {
		if (!isAlive()) {
			return List.of();
		}
		try {
			return this.probe.ask(command);
		}
		catch (IOException | IllegalStateException ex) {
			return List.of();
		}
	}

	/** The answer as one text. */
	String askText(String... command) {
		return String.join("\n", ask(command));
	}

	/** {@code master} or {@code slave}; empty when it does not answer. */
	String role() {
		return ask("ROLE").stream().findFirst().orElse("");
	}

}
