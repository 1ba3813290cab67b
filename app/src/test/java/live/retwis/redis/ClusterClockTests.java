package live.retwis.redis;

import java.util.List;
import java.util.Objects;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The nodes of a cluster may have different clocks. The clock of the node with the commit
 * log counts.
 */
@Timeout(60)
class ClusterClockTests {

	@Test
	@Tag("slow")
	@Tag("long")
	void theTimeComesFromTheNodeWithTheLog() {
		try (ClusterServers cluster = ClusterServers.start(); Site site = Site.startOn(cluster.settings())) {
			// No post: the scripts of fan-out read the clock of their own node.
			Visitor.registered(site);
			assertThat(Objects.requireNonNull(site.bean(DataClock.class).millis().block())).isPositive();
			RedisProcess master = cluster.masterOf(Keys.LOG);
			List<RedisProcess> asked = cluster.nodes().stream().filter(ClusterClockTests::wasAskedForItsTime).toList();
			assertThat(asked).containsExactly(master);
		}
	}

	private static boolean wasAskedForItsTime(RedisProcess node) {
		return NodeConnections.ask(node, (commands) -> commands.info("commandstats")).contains("cmdstat_time:");
	}

}
