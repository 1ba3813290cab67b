package live.retwis.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A start of the Redis Cluster that was broken off, and the next. */
@Tag("slow")
class RedisClusterDataServersTests {

	@TempDir
	private Path directory;

	private final LocalPorts ports = new LocalPorts();

	@Test
	@Tag("long")
	void aClusterIsFormedAfterAStartThatGaveOneMasterItsSlots() {
		breakOff((nodes) -> addSlots(nodes.get(0), 0, 5461));
		isFormedAndKeepsItsData();
	}

	@Test
	@Tag("long")
	void aClusterIsFormedAfterAStartThatGaveNoMasterAReplica() {
		breakOff((nodes) -> {
			addSlots(nodes.get(0), 0, 5461);
			addSlots(nodes.get(1), 5462, 10922);
			addSlots(nodes.get(2), 10923, 16383);
			nodes.forEach((node) -> node.ask("CLUSTER", "MEET", "127.0.0.1", String.valueOf(nodes.get(0).port())));
			DataServers.await("all know the slots", () -> nodes.stream()
				.allMatch((node) -> node.askText("CLUSTER", "INFO").contains("cluster_slots_assigned:16384")));
		});
		isFormedAndKeepsItsData();
	}

	@Test
	@Tag("long")
	void aClusterIsFormedAlthoughItsNodesMetBeforeAllHadSlots() {
		breakOff((nodes) -> {
			addSlots(nodes.get(0), 0, 5461);
			nodes.forEach((node) -> node.ask("CLUSTER", "MEET", "127.0.0.1", String.valueOf(nodes.get(0).port())));
			DataServers.await("all know the slots", () -> nodes.stream()
				.allMatch((node) -> node.askText("CLUSTER", "INFO").contains("cluster_slots_assigned:5462")));
		});
		isFormedAndKeepsItsData();
	}

	/** Starts the nodes, does the first steps, and ends. */
	private void breakOff(Consumer<List<RedisServerPart>> steps) {
		try (ProcessGuard guard = new ProcessGuard()) {
			DataServers servers = new NodesAlone();
			servers.launch(this.directory, this.ports, guard);
			steps.accept(servers.nodes());
			servers.end();
		}
	}

	private void isFormedAndKeepsItsData() {
		try (ProcessGuard guard = new ProcessGuard()) {
			DataServers servers = DataServers.start(DataTopology.CLUSTER, this.directory, this.ports, guard);
			assertThat(servers.nodes().stream().map(RedisServerPart::role)).filteredOn("master"::equals).hasSize(3);
			assertThat(keep(servers, "a", "1")).isTrue();
			servers.end();
		}
		try (ProcessGuard guard = new ProcessGuard()) {
			DataServers servers = DataServers.start(DataTopology.CLUSTER, this.directory, this.ports, guard);
			assertThat(servers.nodes().stream().map((node) -> node.askText("GET", "a"))).contains("1");
			servers.end();
		}
	}

	private static void addSlots(RedisServerPart node, int first, int last) {
		node.ask(Stream
			.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.rangeClosed(first, last).mapToObj(String::valueOf))
			.toArray(String[]::new));
	}

	private static boolean keep(DataServers servers, String key, String value) {
		return servers.nodes().stream().anyMatch((node) -> node.askText("SET", key, value).equals("OK"));
	}

	/** Nodes of a Redis Cluster that nobody has told of each other. */
	private static final class NodesAlone extends DataServers {

		@Override
		void launch(Path directory, LocalPorts ports, ProcessGuard guard) {
			launchNodes(6, directory, ports, guard, "cluster-enabled yes");
		}

		@Override
		List<String> settings() {
			return List.of();
		}

		@Override
		Optional<RedisServerPart> master() {
			return Optional.empty();
		}

	}

}
