package live.retwis.timeline;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class TimelineCapTests {

	private static final int CAP = 20;

	@Test
	@Tag("slow")
	@Tag("long")
	void noTimelineEverHoldsMoreThanItsBound(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=" + CAP, "--retwis.timeline.public-size=" + CAP)) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			bob.follow(alice);
			String[] lists = { Keys.homeTimeline(alice.id()), Keys.homeTimeline(bob.id()), "{live}:public" };
			AtomicBoolean over = new AtomicBoolean();
			CompletableFuture<Long> most = CompletableFuture.supplyAsync(() -> {
				long seen = 0;
				do {
					for (String list : lists) {
						seen = Math.max(seen, site.redis().zcard(list));
					}
				}
				while (!over.get());
				return seen;
			});
			alice.get("/home");
			for (int i = 0; i < 2 * CAP + 5; i++) {
				assertThat(alice.postJson("body", "post " + i).status()).isEqualTo(201);
				for (String list : lists) {
					assertThat(site.redis().zcard(list)).as(list).isLessThanOrEqualTo(CAP);
				}
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> bob.get("/home").posts().contains("post " + (2 * CAP + 4)));
			over.set(true);
			assertThat(most).succeedsWithin(Duration.ofSeconds(10)).isEqualTo((long) CAP);
			for (String list : lists) {
				assertThat(site.redis().zcard(list)).as(list).isEqualTo(CAP);
			}
			assertThat(alice.get("/home").posts()).hasSize(20).first().isEqualTo("post " + (2 * CAP + 4));
			assertThat(bob.get("/home").posts()).hasSize(20).first().isEqualTo("post " + (2 * CAP + 4));
			assertThat(alice.get("/timeline").posts()).hasSize(20);
			assertThat(site.redis().zcard("posts:" + alice.id())).isEqualTo(2 * CAP + 5);
		}
	}

}
