package live.retwis.tag;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A tag leaves the search while a post with it is written. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class EmptyTagRemoverTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@Test
	@Tag("slow")
	void aTagThatGetsAPostMeanwhileStaysInTheSearch(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=8s")) {
			Visitor author = Visitor.registered(fast);
			fast.redis().zadd("tags:s", 0, "sea");
			try (Interception held = way.at(SentCommand.named("ZREM").and(SentCommand.with("sea"))).holdCommand();
					Interception added = way.at(SentCommand.named("ZADD").and(SentCommand.with("sea"))).watch()) {
				Visitor.of(slow).get("/search?q=sea");
				held.awaitMet();
				author.post("#sea");
				FanOutWait.settle(fast);
				held.close();
				added.awaitMet();
			}
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(fast.redis().zrange("tags:s", 0, -1)).isEqualTo(List.of("sea")));
		}
	}

	@Test
	@Tag("slow")
	void aWorkerThatFindsThePostInTheListLetsTheSearchFindTheTag(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.fan-out.worker=false")) {
			String post = Visitor.registered(site).post("#sea");
			site.redis().zadd(Keys.tag("sea"), System.currentTimeMillis(), post);
			try (Site next = Site.start(redis)) {
				FanOutWait.settle(next);
				assertThat(site.redis().zrange("tags:s", 0, -1)).isEqualTo(List.of("sea"));
			}
		}
	}

}
