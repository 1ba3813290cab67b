package live.retwis.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of three masters with one replica each. A start does what is not done
 * yet, so one that was broken off is finished by the next.
 */
final class RedisClusterDataServers extends DataServers {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16_384;

	/** The fields of a line of CLUSTER NODES before those of slots. */
	private static final int FIELDS_WITHOUT_SLOTS = 8;

	private static final String NODE_TIMEOUT_MILLIS = "2000";

	@Override
	void launch(Path directory, LocalPorts ports, ProcessGuard guard) {
		launchNodes(2 * MASTERS, directory, ports, guard, "cluster-enabled yes",
				"cluster-node-timeout " + NODE_TIMEOUT_MILLIS);
		for (int i = 0; i < MASTERS; i++) {
			RedisServerPart node = nodes().get(i);
			String[] slots = slots(i);
			await("each master has slots", () -> works(node, slots));
		}
		// A cluster that was formed before has other ports now, and each node has to be
		// told of all others.
		nodes().forEach((node) -> nodes().stream()
			.filter((other) -> other != node)
			.forEach((other) -> node.ask("CLUSTER", "MEET", "127.0.0.1", String.valueOf(other.port()))));
		await("the data nodes know each other", () -> nodes().stream().allMatch(this::knowsAll));
		for (int i = 0; i < MASTERS; i++) {
			RedisServerPart node = nodes().get(MASTERS + i);
			RedisServerPart master = nodes().get(i);
			await("each master has a replica",
					() -> works(node, "CLUSTER", "REPLICATE", master.askText("CLUSTER", "MYID")));
		}
		await("the cluster is whole", () -> nodes().stream().allMatch(RedisClusterDataServers::isWhole));
	}

	private static String[] slots(int master) {
		return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"),
				IntStream.range(0, SLOTS).filter((slot) -> slot * MASTERS / SLOTS == master).mapToObj(String::valueOf))
			.toArray(String[]::new);
	}

	private boolean knowsAll(RedisServerPart node) {
		String known = node.askText("CLUSTER", "NODES");
		return nodes().stream().allMatch((other) -> known.contains(":" + other.port() + "@"))
				&& !known.contains("handshake");
	}

	/**
	 * Whether the node has slots or a master. If not, it never worked, and gets the
	 * command.
	 */
	private static boolean works(RedisServerPart node, String... command) {
		Optional<String> itself = node.askText("CLUSTER", "NODES")
			.lines()
			.filter((line) -> line.contains("myself"))
			.findFirst();
		boolean works = itself.filter((line) -> line.contains("slave") || line.split(" ").length > FIELDS_WITHOUT_SLOTS)
			.isPresent();
		if (itself.isPresent() && !works) {
			node.ask(command);
		}
		return works;
	}

	private static boolean isWhole(RedisServerPart node) {
		String replication = node.askText("INFO", "replication");
		return node.askText("CLUSTER", "INFO").contains("cluster_state:ok") && (replication.contains("role:master")
				? replication.contains("connected_slaves:1") : replication.contains("master_link_status:up"));
	}

	@Override
	List<String> settings() {
		return List.of("--spring.data.redis.cluster.nodes=" + addresses(nodes()));
	}

	@Override
	Optional<RedisServerPart> master() {
		return nodes().stream()
			.filter(RedisServerPart::isAlive)
			.filter((node) -> node.role().equals("master"))
			// Only a master that has the key answers without an error.
			.filter((node) -> !node.ask("EXISTS", LOG).isEmpty())
			.findFirst();
	}

}
