package live.retwis.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.RedisProcessOptions;

/**
 * The servers that keep the data. They write append-only files, so the data is still
 * there when the cluster is started again.
 */
abstract class DataServers {

	/** The key whose master counts as the data master: the commit log. */
	static final String LOG = "{live}:log";

	/** The key by which instances compare their lock nodes. */
	private static final String LOCK_SET = "locks:set";

	/** The longest wait until the servers know each other and have the same data. */
	private static final Duration BOUND = Duration.ofSeconds(60);

	private final List<RedisServerPart> nodes = new ArrayList<>();

	/** Starts the servers and waits until they work together. */
	static DataServers start(DataTopology topology, Path directory, LocalPorts ports, ProcessGuard guard) {
		DataServers servers = switch (topology) {
			case SINGLE -> new SingleDataServer();
			case SENTINEL -> new SentinelDataServers();
			case CLUSTER -> new RedisClusterDataServers();
		};
		try {
			servers.launch(directory, ports, guard);
			return servers;
		}
		catch (RuntimeException ex) {
			servers.end();
			throw ex;
		}
	}

	abstract void launch(Path directory, LocalPorts ports, ProcessGuard guard);

	/** Starts data nodes side by side, named from 1 on. */
	final void launchNodes(int count, Path directory, LocalPorts ports, ProcessGuard guard, String... directives) {
		launch(this.nodes, count, "data-", directory, ports, guard,
				RedisProcessOptions.DEFAULT
					.with("maxmemory 512mb", "maxmemory-policy noeviction", "appendonly yes", "appendfsync everysec",
							"repl-diskless-sync-delay 0")
					.with(directives));
	}

	static void launch(List<RedisServerPart> into, int count, String name, Path directory, LocalPorts ports,
			ProcessGuard guard, RedisProcessOptions options) {
		IntStream.rangeClosed(1, count)
			.parallel()
			.mapToObj((number) -> RedisServerPart.start(name + number,
					options.withPort(ports.next()).withDirectory(directory.resolve(name + number)), guard))
			.forEachOrdered(into::add);
	}

	/** The servers with data. */
	final List<RedisServerPart> nodes() {
		return List.copyOf(this.nodes);
	}

	/** Servers that watch over those with data. */
	List<RedisServerPart> watchers() {
		return List.of();
	}

	/** Settings that tell an instance where the data is. */
	abstract List<String> settings();

	/** The server that takes writes to the log; empty while there is none. */
	abstract Optional<RedisServerPart> master();

	/** Whether the server takes writes, as far as the others agree. */
	boolean isMaster(RedisServerPart node) {
		return node.role().equals("master");
	}

	/** Starts a server again that has ended. */
	void restart(RedisServerPart node) {
		node.restart();
	}

	/**
	 * Makes the servers forget which lock nodes the instances used, so that the instances
	 * can start with other ones. Call it while no instance runs.
	 */
	final void forgetLockNodes() {
		// A node of a Redis Cluster that does not have the key answers with an error.
		this.nodes.forEach((node) -> node.ask("DEL", LOCK_SET));
	}

	final Optional<RedisServerPart> withPort(String port) {
		return this.nodes.stream().filter((node) -> String.valueOf(node.port()).equals(port)).findFirst();
	}

	static String addresses(List<RedisServerPart> parts) {
		return parts.stream().map(RedisServerPart::address).collect(Collectors.joining(","));
	}

	static void await(String what, BooleanSupplier state) {
		if (!Poll.until(BOUND, state)) {
			throw new ClusterException("It did not come about within " + BOUND.toSeconds() + " s that " + what);
		}
	}

	/** Ends all servers, those that watch first. */
	final void end() {
		watchers().forEach(RedisServerPart::end);
		this.nodes.parallelStream().forEach(RedisServerPart::end);
	}

}
