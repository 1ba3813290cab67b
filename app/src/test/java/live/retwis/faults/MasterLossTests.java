package live.retwis.faults;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.SentinelServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The master dies while people write and read, and everything goes on by itself.
 */
@Timeout(120)
class MasterLossTests {

	@Test
	void aMasterThatDiesAndThatSentinelsReplace() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.once(RedisProcess::kill);
		}
	}

	@Test
	void aMasterOfAClusterThatDiesAndThatItsReplicaReplaces() {
		try (ClusterServers servers = ClusterServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.once(RedisProcess::kill);
		}
	}

}
