package live.retwis.testing;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;

/**
 * A Redis Cluster of three masters with one replica each. Each master has one range with
 * a third of the slots.
 */
public final class ClusterServers implements ReplicatedServers {

	private static final int MASTERS = 3;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Duration COMMAND = Duration.ofSeconds(5);

	private static final Duration LOOK = Duration.ofMillis(100);

	private final List<RedisProcess> nodes;

	private final RedisClusterClient client;

	private final RedisAdvancedClusterCommands<String, String> commands;

	private ClusterServers(List<RedisProcess> nodes) {
		this.nodes = nodes;
		form(nodes);
		this.client = RedisClusterClient.create(nodes.stream().map((node) -> RedisURI.create(node.uri())).toList());
		// By default a command for a dead node would wait forever, even after another
		// node has replaced it.
		this.client.setOptions(ClusterClientOptions.builder()
			.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
				.enableAllAdaptiveRefreshTriggers()
				.enablePeriodicRefresh(Duration.ofSeconds(1))
				.build())
			.build());
		StatefulRedisClusterConnection<String, String> connection = this.client.connect();
		connection.setTimeout(COMMAND);
		this.commands = connection.sync();
	}

	/**
	 * Starts a cluster. When it returns, all slots are served and all replicas are in
	 * sync.
	 * @param directives lines as in {@code redis.conf}, for each node
	 */
	public static ClusterServers start(String... directives) {
		List<RedisProcess> nodes = TestPorts.withBus(2 * MASTERS)
			.parallelStream()
			.map((port) -> RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(port)
				.with("cluster-enabled yes", "cluster-node-timeout 2000", "repl-diskless-sync-delay 0")
				.with(directives)))
			.toList();
		try {
			return new ClusterServers(nodes);
		}
		catch (RuntimeException | Error ex) {
			nodes.forEach(RedisProcess::close);
			throw ex;
		}
	}

	@Override
	public List<String> settings() {
		return List.of("--spring.data.redis.cluster.nodes="
				+ this.nodes.stream().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(",")));
	}

	@Override
	public RedisAdvancedClusterCommands<String, String> commands() {
		return this.commands;
	}

	/** All nodes, masters and replicas. */
	public List<RedisProcess> nodes() {
		return List.copyOf(this.nodes);
	}

	/** The current masters. */
	public List<RedisProcess> masters() {
		return masters(this.nodes).map(this::process).toList();
	}

	@Override
	public RedisProcess masterOf(String key) {
		int slot = SlotHash.getSlot(key);
		return masters(this.nodes).filter((node) -> node.hasSlot(slot)).findFirst().map(this::process).orElseThrow();
	}

	@Override
	public void awaitFailOver(RedisProcess lost) {
		List<RedisProcess> others = this.nodes.stream().filter((node) -> node != lost).toList();
		await("a replica in its place", () -> {
			List<RedisProcess> masters = masters(others).map(this::process).toList();
			return masters.size() == MASTERS && !masters.contains(lost);
		});
	}

	@Override
	public void awaitWhole() {
		await("a whole cluster", () -> isWhole(this.nodes));
	}

	/** The masters as seen by the first node in the list that is alive. */
	private static Stream<RedisClusterNode> masters(List<RedisProcess> nodes) {
		RedisProcess asked = nodes.stream().filter(RedisProcess::isAlive).findFirst().orElseThrow();
		return NodeConnections.ask(asked, ClusterServers::view).stream().filter(ClusterServers::isMaster);
	}

	private static Partitions view(RedisCommands<String, String> node) {
		return ClusterPartitionParser.parse(node.clusterNodes());
	}

	private static boolean isMaster(RedisClusterNode node) {
		return node.is(NodeFlag.UPSTREAM) && !node.is(NodeFlag.FAIL) && !node.getSlots().isEmpty();
	}

	private RedisProcess process(RedisClusterNode node) {
		return this.nodes.stream()
			.filter((process) -> process.port() == node.getUri().getPort())
			.findFirst()
			.orElseThrow();
	}

	private static void form(List<RedisProcess> nodes) {
		for (int i = 0; i < nodes.size(); i++) {
			int number = i;
			NodeConnections.ask(nodes.get(i), (node) -> {
				if (number < MASTERS) {
					node.clusterAddSlots(slots(number));
				}
				// Otherwise all nodes would begin with the same epoch, and would have to
				// resolve that first.
				node.clusterSetConfigEpoch(number + 1L);
				return node.clusterMeet("127.0.0.1", nodes.get(0).port());
			});
		}
		await("nodes that know each other", () -> nodes.stream()
			.allMatch((node) -> NodeConnections.ask(node, ClusterServers::view).size() == nodes.size()));
		for (int i = 0; i < MASTERS; i++) {
			String master = NodeConnections.ask(nodes.get(i), RedisCommands::clusterMyId);
			NodeConnections.ask(nodes.get(MASTERS + i), (replica) -> replica.clusterReplicate(master));
		}
		await("a whole cluster", () -> isWhole(nodes));
	}

	private static int[] slots(int master) {
		return IntStream.range(0, SlotHash.SLOT_COUNT)
			.filter((slot) -> slot * MASTERS / SlotHash.SLOT_COUNT == master)
			.toArray();
	}

	/**
	 * Whether each node says that the cluster is complete, and all replicas are in sync.
	 */
	private static boolean isWhole(List<RedisProcess> nodes) {
		return nodes.stream().allMatch((process) -> NodeConnections.ask(process, (node) -> {
			long masters = view(node).stream().filter(ClusterServers::isMaster).count();
			String replication = node.info("replication");
			return masters == MASTERS && node.clusterInfo().contains("cluster_state:ok")
					&& (replication.contains("role:master") ? replication.contains("connected_slaves:1")
							: replication.contains("master_link_status:up"));
		}));
	}

	private static void await(String what, Supplier<Boolean> state) {
		Awaitility.await(what).atMost(LIMIT).pollInterval(LOOK).ignoreExceptions().until(state::get);
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.nodes.forEach(RedisProcess::close);
	}

}
