package live.retwis.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisUnavailableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The keys lie on three masters.
 */
@Timeout(60)
class ClusterDoctorTests {

	private static final int MASTERS = 3;

	private final List<RedisProcess> nodes = new ArrayList<>();

	@AfterEach
	void stop() {
		this.nodes.forEach(RedisProcess::close);
	}

	@Test
	void examinesAndRepairsOnEachMasterOfACluster() {
		for (int i = 0; i < MASTERS; i++) {
			this.nodes.add(startNode());
		}
		List<RedisURI> addresses = this.nodes.stream().map((node) -> RedisURI.create(node.uri())).toList();
		form(addresses);
		try (RedisClusterClient client = RedisClusterClient.create(addresses); LockServers locks = new LockServers()) {
			RedisClusterCommands<String, String> redis = client.connect().sync();
			Ailments ailments = new Ailments(redis, System.currentTimeMillis());
			ailments.beginLog();
			ailments.all();
			this.nodes.forEach((node) -> assertThat(keysOn(node)).as("keys of each master").isGreaterThan(10));
			try (Examined store = Examined.startAt("127.0.0.1", this.nodes.get(0).port(), "--retwis.timeline.size=5",
					"--retwis.timeline.public-size=5", "--retwis.follow.limit=4",
					"--spring.data.redis.cluster.nodes=127.0.0.1:" + this.nodes.get(0).port())) {
				store.withLocks(locks);
				List<String> told = store.waitAndExamine();
				assertThat(told.subList(0, told.size() - 1)).containsExactlyInAnyOrderElementsOf(ailments.lines());
				List<String> fixed = store.fix();
				assertThat(fixed.subList(0, fixed.size() - 1))
					.containsExactlyInAnyOrderElementsOf(ailments.fixedLines());
				ailments.treatByHand();
				assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
			}
			this.nodes.forEach(
					(node) -> assertThat(commandsOf(node)).contains("cmdstat_scan:").doesNotContain("cmdstat_keys:"));
		}
	}

	/** The port of the cluster's bus is 10,000 higher, so not any port will do. */
	private static RedisProcess startNode() {
		for (int tries = 1;; tries++) {
			try {
				int port = 20_000 + ThreadLocalRandom.current().nextInt(10_000);
				return RedisProcess.start(
						RedisOptions.DEFAULT.withPort(port).with("cluster-enabled yes", "cluster-node-timeout 2000"));
			}
			catch (RedisUnavailableException ex) {
				if (tries == 5) {
					throw ex;
				}
			}
		}
	}

	private static void form(List<RedisURI> addresses) {
		List<RedisClient> clients = addresses.stream().map(RedisClient::create).toList();
		try {
			List<RedisCommands<String, String>> nodes = clients.stream()
				.map((client) -> client.connect().sync())
				.toList();
			for (int i = 0; i < MASTERS; i++) {
				nodes.get(i).clusterAddSlots(slots(i));
				nodes.get(0).clusterMeet("127.0.0.1", addresses.get(i).getPort());
			}
			Awaitility.await("a cluster of all slots")
				.atMost(Duration.ofSeconds(20))
				.until(() -> nodes.stream()
					.allMatch((node) -> node.clusterInfo().contains("cluster_state:ok")
							&& node.clusterInfo().contains("cluster_known_nodes:" + MASTERS)));
		}
		finally {
			clients.forEach(RedisClient::shutdown);
		}
	}

	private static int[] slots(int master) {
		return IntStream.range(0, SlotHash.SLOT_COUNT).filter((slot) -> slot % MASTERS == master).toArray();
	}

	private static long keysOn(RedisProcess node) {
		try (RedisClient client = RedisClient.create(node.uri())) {
			return client.connect().sync().dbsize();
		}
	}

	private static String commandsOf(RedisProcess node) {
		try (RedisClient client = RedisClient.create(node.uri())) {
			return client.connect().sync().info("commandstats");
		}
	}

}
