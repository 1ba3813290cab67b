package live.retwis.log;

import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import io.lettuce.core.MigrateArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A site that waits for replicas, while the slot of the log moves to another master of
 * its cluster.
 */
@Tag("slow")
class MovedSlotTests {

	private static final int SLOT = SlotHash.getSlot(Keys.LOG);

	@Test
	@Tag("long")
	void aPostIsMadeOrItsTextIsKeptWhileASlotMovesAndAfterAPlannedFailOver() {
		try (ClusterServers cluster = ClusterServers.start();
				Site site = Site.startOn(cluster.settings(), "--retwis.redis.wait-replicas=1")) {
			Visitor author = Visitor.registered(site);
			RedisProcess from = cluster.masterOf(Keys.LOG);
			RedisProcess to = cluster.masters().stream().filter((node) -> node != from).findFirst().orElseThrow();
			String fromId = NodeConnections.ask(from, RedisCommands::clusterMyId);
			String toId = NodeConnections.ask(to, RedisCommands::clusterMyId);
			NodeConnections.ask(to, (node) -> node.clusterSetSlotImporting(SLOT, fromId));
			NodeConnections.ask(from, (node) -> node.clusterSetSlotMigrating(SLOT, toId));
			posts(author, "before the keys");
			NodeConnections.ask(from, (node) -> node.migrate("127.0.0.1", to.port(), 0, 5000,
					MigrateArgs.Builder.keys(node.clusterGetKeysInSlot(SLOT, 1000))));
			posts(author, "between");
			cluster.masters().forEach((node) -> NodeConnections.ask(node, (one) -> one.clusterSetSlotNode(SLOT, toId)));
			posts(author, "after");
			failOver(cluster);
			posts(author, "with another master");
		}
	}

	private static void failOver(ClusterServers cluster) {
		RedisProcess master = cluster.masterOf(Keys.LOG);
		RedisProcess replica = cluster.nodes()
			.stream()
			.filter((node) -> NodeConnections.ask(node, (one) -> one.info("replication"))
				.contains("master_port:" + master.port()))
			.findFirst()
			.orElseThrow();
		NodeConnections.ask(replica, (node) -> node.clusterFailover(false));
	}

	/** Sends several posts, one after the other. */
	private static void posts(Visitor author, String when) {
		Stream.generate(() -> UUID.randomUUID().toString()).limit(8).forEach((once) -> {
			Answer answer = author.submit("/posts", "body", when, "once", once);
			assertThat(answer.status()).as(when).isIn(303, 503);
			if (answer.status() == 503) {
				assertThat(Objects.requireNonNull(answer.textarea())).isEqualTo(when);
			}
		});
	}

}
