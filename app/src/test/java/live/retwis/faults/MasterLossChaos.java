package live.retwis.faults;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.SentinelServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The master goes while people write and read, and everything goes on by itself; it comes
 * back as a replica of its successor, and then takes its place. It is killed, or hangs,
 * which closes no connection. The doctor, who waits until the workers have found what
 * they were doing, finds nothing after all that.
 */
@Timeout(300)
class MasterLossChaos {

	@Test
	void mastersThatDieAndThatSentinelsReplace() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.thereAndBack(RedisProcess::kill, RedisProcess::restart);
			loss.examine();
		}
	}

	@Test
	void mastersOfAClusterThatDieAndThatTheirReplicasReplace() {
		try (ClusterServers servers = ClusterServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.thereAndBack(RedisProcess::kill, RedisProcess::restart);
			loss.examine();
		}
	}

	@Test
	void aMasterThatHangsAndThatSentinelsReplace() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.thereAndBack(RedisProcess::pause, RedisProcess::resume);
			loss.examine();
		}
	}

	@Test
	void aMasterOfAClusterThatHangsAndThatItsReplicaReplaces() {
		try (ClusterServers servers = ClusterServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.thereAndBack(RedisProcess::pause, RedisProcess::resume);
			loss.examine();
		}
	}

}
