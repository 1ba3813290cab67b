package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.CommitLog;
import live.retwis.redis.Cursor;
import live.retwis.redis.LogEntry;
import live.retwis.testing.FanOuts;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What fan-out makes of home timelines.
 */
@ExtendWith(RedisExtension.class)
class FollowerTimelinesTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	@Test
	void whatADeadWorkerPutInForSomebodyWhoLeftMeanwhileIsTakenOut(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor stays = Visitor.registered(site);
			Visitor leaves = Visitor.registered(site);
			stays.follow(author);
			leaves.follow(author);
			author.post("the post");
			leaves.get("/@" + author.name());
			assertThat(leaves.submit("/@" + author.name() + "/unfollow").status()).isEqualTo(303);
			FanOuts.settle(site);
			LogEntry entry = site.bean(CommitLog.class)
				.between("-", "+")
				.filter((logged) -> logged.type() == LogEntry.Type.POST)
				.single()
				.blockOptional(BOUND)
				.orElseThrow();
			Cursor place = new Cursor(entry.position().millis(), entry.post());
			HomeTimelines timelines = site.bean(HomeTimelines.class);
			timelines.announce(leaves.id(), "maker")
				.then(timelines.begin(leaves.id(), "maker", List.of(place), null))
				.block(BOUND);
			Awaitility.await()
				.atMost(BOUND)
				.untilAsserted(() -> assertThat(leaves.get("/home").posts()).as("as the dead worker left it")
					.containsExactly("the post"));
			site.bean(FanOut.class).resume(entry).block(BOUND);
			assertThat(leaves.get("/home").posts()).isEmpty();
			assertThat(stays.get("/home").posts()).containsExactly("the post");
		}
	}

}
