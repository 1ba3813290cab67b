package live.retwis.faults;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.SentinelServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The master fails while users write and read, and everything continues by itself. The
 * master comes back as a replica of its successor, and later takes its place again. It is
 * killed, or it hangs, which closes no connection. At the end the doctor waits for the
 * workers, and then finds nothing wrong.
 */
@Timeout(300)
class MasterLossChaos {

	@Test
	void theSiteContinuesWhenSentinelsReplaceADeadMaster() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.failOverAndBack(RedisProcess::kill, RedisProcess::restart);
			loss.examine();
		}
	}

	@Test
	void theSiteContinuesWhenAClusterReplacesADeadMaster() {
		try (ClusterServers servers = ClusterServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.failOverAndBack(RedisProcess::kill, RedisProcess::restart);
			loss.examine();
		}
	}

	@Test
	void theSiteContinuesWhenSentinelsReplaceAMasterThatHangs() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.failOverAndBack(RedisProcess::pause, RedisProcess::resume);
			loss.examine();
		}
	}

	@Test
	void theSiteContinuesWhenAClusterReplacesAMasterThatHangs() {
		try (ClusterServers servers = ClusterServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			loss.failOverAndBack(RedisProcess::pause, RedisProcess::resume);
			loss.examine();
		}
	}

}
