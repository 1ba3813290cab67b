package live.retwis.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;

/**
 * A data node that a test may harm, with the test's own connection.
 */
final class HarmedDataNode implements StoredLog, AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final RedisProcess process;

	private final RedisClient client;

	private final RedisCommands<String, String> commands;

	private HarmedDataNode(RedisProcess process) {
		this.process = process;
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", process.port()));
		this.commands = this.client.connect().sync();
	}

	/** Starts a data node that loses nothing when it is killed. */
	static HarmedDataNode start() {
		return start(Map.of());
	}

	static HarmedDataNode start(Map<String, String> environment) {
		return new HarmedDataNode(RedisProcess.start(new RedisProcessOptions(TestPorts.next(), null,
				List.of("appendonly yes", "appendfsync always", "repl-diskless-sync-delay 0"), environment, false,
				null)));
	}

	/** Starts a replica, and waits until it has all data of the master. */
	static HarmedDataNode replicaOf(HarmedDataNode master, Map<String, String> environment) {
		HarmedDataNode replica = start(environment);
		replica.commands.replicaof("127.0.0.1", master.process.port());
		Awaitility.await("the first synchronisation")
			.atMost(LIMIT)
			.until(() -> replica.commands.info("replication").contains("master_link_status:up"));
		return replica;
	}

	/** Disconnects the replica from its master, so it lags from now on. */
	void loseMaster() {
		this.commands.replicaof("127.0.0.1", TestPorts.next());
	}

	/** Makes the replica a master that accepts writes. */
	void promote() {
		this.commands.replicaofNoOne();
	}

	RedisProcess process() {
		return this.process;
	}

	@Override
	public RedisCommands<String, String> commands() {
		return this.commands;
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.process.close();
	}

}
