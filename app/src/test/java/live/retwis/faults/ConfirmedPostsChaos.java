package live.retwis.faults;

import live.retwis.testing.SentinelServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A master dies before its replicas have received its last posts. Acknowledged posts are
 * lost with it, unless a replica has to confirm each post.
 */
class ConfirmedPostsChaos {

	private static final int RUNS = 20;

	@Test
	@Timeout(120)
	void withoutConfirmationAcknowledgedPostsAreLostWithTheirMaster() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers)) {
			assertThat(loss.unheard(1, servers::replicas, (workload) -> workload.awaitPosts(20))).isNotEmpty();
		}
	}

	@Test
	@Timeout(900)
	void noConfirmedPostIsLostInTwentyFailOvers() {
		try (SentinelServers servers = SentinelServers.start(MasterLoss.DURABLE);
				MasterLoss loss = MasterLoss.of(servers, "--retwis.redis.wait-replicas=1",
						"--retwis.redis.wait-timeout=500ms")) {
			assertThat(loss.unheard(RUNS, servers::replicas, (workload) -> loss.awaitWrites())).isEmpty();
			loss.examine();
		}
	}

}
