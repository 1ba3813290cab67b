package live.retwis.bench;

import java.io.IOException;

import live.retwis.testing.ClusterServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many home timelines a millisecond instances write on a Redis Cluster of three
 * masters with a replica each. {@code -Dbench.rounds} (5) is the number of rounds.
 */
class ClusterFanOutBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("cluster-fan-out", "Fan-out on a cluster", "ClusterFanOutBench");

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	@Test
	void whatMoreInstancesDeliverOnThreeMasters() throws IOException {
		try (ClusterServers cluster = ClusterServers.start();
				FanOutServers servers = FanOutServers.on(cluster, BenchReport.directory())) {
			new TimelineDelivery(servers, this.rounds).measure((instances, delivered) -> REPORT.add(delivered));
		}
	}

}
