package live.retwis.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;

/** A master with two replicas, and three Redis Sentinels that watch them. */
public final class SentinelServers implements ReplicatedServers {

	private static final String NAME = "data";

	private static final int REPLICAS = 2;

	private static final int SENTINELS = 3;

	/**
	 * As in the compose files. With a second, a busy machine makes sentinels replace a
	 * master that is well, and what only it had is lost.
	 */
	private static final int DOWN_AFTER_MILLIS = 3000;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Duration LOOK = Duration.ofMillis(100);

	private final List<RedisProcess> nodes = new ArrayList<>();

	private final List<RedisProcess> sentinels = new ArrayList<>();

	private final RedisClient client = RedisClient.create();

	private final RedisCommands<String, String> commands;

	private SentinelServers(String... directives) {
		try {
			RedisProcessOptions options = RedisProcessOptions.DEFAULT.with("repl-diskless-sync-delay 0")
				.with(directives);
			RedisProcess master = RedisProcess.start(options.withPort(TestPorts.next()));
			this.nodes.add(master);
			start(this.nodes, REPLICAS, options.with("replicaof 127.0.0.1 " + master.port()));
			start(this.sentinels, SENTINELS,
					RedisProcessOptions.DEFAULT.with("sentinel monitor " + NAME + " 127.0.0.1 " + master.port() + " 2",
							"sentinel down-after-milliseconds " + NAME + " " + DOWN_AFTER_MILLIS,
							"sentinel failover-timeout " + NAME + " 10000"));
			awaitWhole();
			this.commands = this.client.connect(address()).sync();
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Starts all of them. When it returns, the replicas are in sync and the sentinels
	 * know each other.
	 * @param directives lines as in {@code redis.conf}, for the master and its replicas
	 */
	public static SentinelServers start(String... directives) {
		return new SentinelServers(directives);
	}

	private static void start(List<RedisProcess> started, int count, RedisProcessOptions options) {
		started.addAll(IntStream.range(0, count)
			.parallel()
			.mapToObj((i) -> RedisProcess.start(options.withPort(TestPorts.next())))
			.toList());
	}

	private RedisURI address() {
		RedisURI.Builder address = RedisURI.builder().withSentinelMasterId(NAME);
		this.sentinels.forEach((sentinel) -> address.withSentinel("127.0.0.1", sentinel.port()));
		return address.build();
	}

	@Override
	public List<String> settings() {
		return List.of("--spring.data.redis.sentinel.master=" + NAME, "--spring.data.redis.sentinel.nodes="
				+ this.sentinels.stream().map((one) -> "127.0.0.1:" + one.port()).collect(Collectors.joining(",")));
	}

	@Override
	public RedisCommands<String, String> commands() {
		return this.commands;
	}

	@Override
	public RedisProcess masterOf(String key) {
		return master();
	}

	/** The nodes that are not the master. */
	public List<RedisProcess> replicas() {
		RedisProcess master = master();
		return this.nodes.stream().filter((node) -> node != master).toList();
	}

	/** The master on which all sentinels agree; fails when they do not agree. */
	private RedisProcess master() {
		return this.nodes.stream()
			.filter((node) -> this.sentinels.stream()
				.allMatch((sentinel) -> told(sentinel).contains("address=127.0.0.1:" + node.port() + ",")))
			.findFirst()
			.orElseThrow();
	}

	private static String told(RedisProcess sentinel) {
		return NodeConnections.ask(sentinel, (commands) -> commands.info("sentinel"));
	}

	@Override
	public void awaitFailOver(RedisProcess dead) {
		await("a replica in its place", () -> {
			RedisProcess master = master();
			return master != dead && replication(master).contains("role:master");
		});
	}

	@Override
	public void awaitWhole() {
		await("a master with its replicas", () -> {
			String whole = "status=ok,address=127.0.0.1:" + master().port() + ",slaves=" + REPLICAS + ",sentinels="
					+ SENTINELS;
			leaveOtherMasters();
			return this.sentinels.stream().allMatch((sentinel) -> told(sentinel).contains(whole)) && this.nodes.stream()
				.filter((node) -> replication(node).contains("master_link_status:up"))
				.count() == REPLICAS && replication(master()).contains("connected_slaves:" + REPLICAS);
		});
	}

	/**
	 * A server that starts again reads its first configuration, and may follow a server
	 * that is a replica now. It would hear later than the others, and nobody would wait
	 * for it. Sentinels notice that only after the time of a fail-over.
	 */
	private void leaveOtherMasters() {
		int port = master().port();
		this.nodes.stream()
			.filter((node) -> node.port() != port)
			.filter((node) -> replication(node).contains("role:slave")
					&& !replication(node).contains("master_port:" + port + "\r\n"))
			.forEach((node) -> NodeConnections.ask(node, (commands) -> commands.replicaof("127.0.0.1", port)));
	}

	private static String replication(RedisProcess node) {
		return NodeConnections.ask(node, (commands) -> commands.info("replication"));
	}

	private static void await(String what, Supplier<Boolean> state) {
		Awaitility.await(what).atMost(LIMIT).pollInterval(LOOK).ignoreExceptions().until(state::get);
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.sentinels.forEach(RedisProcess::close);
		this.nodes.forEach(RedisProcess::close);
	}

}
