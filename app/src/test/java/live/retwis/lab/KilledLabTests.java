package live.retwis.lab;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.ProcessProbe;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** An instance that is killed while it plays leaves no process behind. */
@Tag("slow")
@Timeout(180)
@ExtendWith(RedisExtension.class)
class KilledLabTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	/** Five nodes of locks, and the store. */
	private static final int SERVERS = 6;

	@Test
	@Tag("long")
	void aRunsServersEndWithItsInstance(@OwnRedis TestRedis redis) {
		try (SiteProcess site = SiteProcess
			.launch(redis.port(), LockServers.shared().setting(), "--retwis.lab.enabled=true")
			.ready()) {
			ProcessHandle instance = ProcessHandle.of(site.pid()).orElseThrow();
			long before = instance.descendants().count();
			Visitor visitor = Visitor.registered(site.origin());
			visitor.get("/lab");
			assertThat(visitor
				.submit("/lab/runs", "scenario", "0", "engine", "redisson", "nodes", "5", "lease", "1000",
						"node_timeout", "50", "seed", "7", "rounds", "20", "fence", "engine")
				.location()).isEqualTo("/lab#live");
			Awaitility.await("the servers of a run")
				.atMost(SOON)
				.until(() -> instance.descendants().count() >= before + SERVERS);
			List<ProcessHandle> begun = instance.descendants().toList();
			site.kill();
			Awaitility.await("the end of all of them")
				.atMost(SOON)
				.until(() -> begun.stream().allMatch((process) -> ProcessProbe.isGone(process.pid())));
		}
	}

}
