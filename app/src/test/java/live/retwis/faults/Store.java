package live.retwis.faults;

import java.util.List;
import java.util.Map;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.redis.LogEntry;

/**
 * A data node that a test may harm, with a connection of the test's own.
 */
final class Store implements AutoCloseable {

	private final RedisProcess process;

	private final RedisClient client;

	private final RedisCommands<String, String> commands;

	private Store(RedisProcess process) {
		this.process = process;
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", process.port()));
		this.commands = this.client.connect().sync();
	}

	/** One that forgets nothing when it is killed. */
	static Store start() {
		return start(Map.of());
	}

	static Store start(Map<String, String> environment) {
		return new Store(RedisProcess.start(new RedisOptions(0, null,
				List.of("appendonly yes", "appendfsync always", "repl-diskless-sync-delay 0"), environment)));
	}

	RedisProcess process() {
		return this.process;
	}

	RedisCommands<String, String> commands() {
		return this.commands;
	}

	/** The log from that entry on, itself included. */
	List<LogEntry> log(String entryId) {
		return this.commands.xrange(Keys.LOG, Range.from(Range.Boundary.including(entryId), Range.Boundary.unbounded()))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.toList();
	}

	/** Its newest entry. */
	LogEntry head() {
		return this.commands.xrevrange(Keys.LOG, Range.unbounded(), io.lettuce.core.Limit.from(1))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.findFirst()
			.orElseThrow();
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.process.close();
	}

}
