package live.retwis.faults;

import java.util.Random;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.LockServers;
import live.retwis.testing.ReplicatedServers;
import live.retwis.testing.SentinelServers;
import live.retwis.testing.SiteProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The master that has the commit log dies, and Redis puts a replica in its place: two
 * instances and their streams go on without anybody's help. What the replica had not
 * heard is cut from the log; whoever saw any of it is told to start anew.
 */
@Timeout(180)
class ReplicatedFailOverTests {

	private static final Logger log = LoggerFactory.getLogger(ReplicatedFailOverTests.class);

	/** The doctor looks twice, this long apart and a second. */
	private static final String LEASE = "--retwis.locks.lease=1s";

	private static final String[] DURABLE = { "appendonly yes", "appendfsync always" };

	private static final int POSTS = 100;

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	@Test
	void aMasterThatSentinelsReplace() {
		try (SentinelServers servers = SentinelServers.start(DURABLE)) {
			goesOnWhenTheMasterIsKilled(servers);
		}
	}

	@Test
	void aMasterOfAClusterThatItsReplicaReplaces() {
		try (ClusterServers servers = ClusterServers.start(DURABLE)) {
			goesOnWhenTheMasterIsKilled(servers);
		}
	}

	private void goesOnWhenTheMasterIsKilled(ReplicatedServers servers) {
		log.info("-Dchaos.seed={}", this.seed);
		Random random = new Random(this.seed);
		try (Instances instances = Instances.startOn(servers.settings(), LEASE)) {
			People people = People.register(instances.balancer(), random);
			History history = history(servers, instances.balancer(), people, random);
			history.assertWholeButForTheCut();
			log.info("{} acknowledged posts, {} of them lost; {} of {} streams were reset",
					history.acknowledged().size(), history.lost().size(),
					history.readings().stream().filter(Reading::hasReset).count(), history.readings().size());
			assertThat(SiteProcess.doctor(servers.settings(), "--wait", LEASE, LockServers.shared().setting()))
				.contains("every rule holds");
		}
	}

	private static History history(ReplicatedServers servers, LoadBalancer balancer, People people, Random random) {
		StoredLog stored = servers::commands;
		try (Workload workload = Workload.start(people, balancer, stored, random, 8, 20)) {
			workload.awaitPosts(POSTS);
			RedisProcess master = servers.masterOf(Keys.LOG);
			master.kill();
			long killed = System.nanoTime();
			servers.awaitFailOver(master);
			long replaced = System.nanoTime();
			workload.awaitPosts(1);
			log.info("replaced after {} ms, the next post {} ms later", (replaced - killed) / 1_000_000,
					(System.nanoTime() - replaced) / 1_000_000);
			workload.awaitPosts(POSTS);
			return workload.settle(stored);
		}
	}

}
