package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.Consumer;
import io.lettuce.core.Range;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.RedisRelease;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fan-out that cannot keep up, and entries that cannot be processed.
 */
@ExtendWith(RedisExtension.class)
class FanOutCompletionTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static String health(Site site) {
		return Visitor.ofManagement(site).getJson("/actuator/health").body();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aFullBacklogAnswersPostsWith503AndKeepsTheirTextUntilItIsDone(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.log.max-backlog=6", "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(site);
			for (int i = 0; i < 5; i++) {
				alice.post("post " + i);
			}
			Awaitility.await().atMost(BOUND).until(() -> health(site).contains("\"waiting\":6"));
			String once = alice.get("/home").once();
			Answer refused = alice.submit("/posts", "body", "one too many", "once", once);
			assertThat(refused.status()).isEqualTo(503);
			assertThat(refused.header("Retry-After")).isEqualTo("5");
			assertThat(refused.textarea()).isEqualTo("one too many");
			assertThat(refused.once()).isEqualTo(once);
			assertThat(refused.body()).contains("The site is very busy at the moment.");
			Answer json = alice.postJson("body", "as JSON");
			assertThat(json.status()).isEqualTo(503);
			assertThat(json.header("Retry-After")).isEqualTo("5");
			assertThat(site.redis().zcard("{live}:public")).isEqualTo(5);
			Visitor bob = Visitor.registered(site);
			bob.get("/@" + alice.name());
			Answer follow = bob.submit("/@" + alice.name() + "/follow");
			assertThat(follow.status()).isEqualTo(503);
			assertThat(follow.header("Retry-After")).isEqualTo("5");
			assertThat(site.redis().exists("following:" + bob.id())).isZero();
			bob.get("/settings");
			Answer profile = bob.submit("/settings/profile", "name", "Bob the second", "bio", "not stored yet");
			assertThat(profile.status()).isEqualTo(503);
			assertThat(profile.header("Retry-After")).isEqualTo("5");
			assertThat(profile.body()).contains("value=\"Bob the second\"", "\nnot stored yet</textarea>",
					"The site is very busy at the moment.");
			assertThat(site.redis().hget("user:" + bob.id(), "name")).isEqualTo(bob.name());
			assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_posts_total{result=\"backlog\"} 2.0");

			try (Site worker = Site.start(redis, "--retwis.log.max-backlog=6")) {
				Awaitility.await().atMost(BOUND).until(() -> health(worker).contains("\"waiting\":0"));
				Awaitility.await().atMost(BOUND).until(() -> health(site).contains("\"waiting\":0"));
			}
			assertThat(alice.submit("/posts", "body", "one too many", "once", once).status()).isEqualTo(303);
			assertThat(alice.submit("/posts", "body", "one too many", "once", once).status()).isEqualTo(303);
			assertThat(alice.get("/home").posts()).startsWith("one too many", "post 4").hasSize(6);
		}
	}

	@Test
	@Tag("slow")
	void anEntryThatAlwaysFailsIsPutAsideAndTheOthersContinue(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			bob.follow(alice);
			site.redis().hset("post:0000000000000", "author", alice.id());
			site.redis().hset("post:0000000000000", "username", alice.name());
			site.redis().hset("post:0000000000000", "body", "not made by this site");
			site.redis().hset("post:0000000000000", "created", "yesterday");
			site.redis()
				.xadd("{live}:log", new XAddArgs(), "nonce", "poison", "n", "9", "type", "post", "post",
						"0000000000000", "user", alice.id());
			alice.post("after it");
			Awaitility.await().atMost(BOUND).until(() -> bob.get("/home").posts().equals(List.of("after it")));
			Awaitility.await().atMost(BOUND).until(() -> health(site).contains("\"dead\":1"));
			assertThat(site.redis().xrange("{live}:dead", Range.unbounded())).singleElement()
				.satisfies((dead) -> assertThat(dead.getBody()).containsEntry("stream", "{live}:log")
					.hasEntrySatisfying("error", (error) -> assertThat(error).contains("yesterday")));
			assertThat(Visitor.ofManagement(site).get("/actuator/health").status()).isEqualTo(200);
			Awaitility.await().atMost(BOUND).until(() -> health(site).contains("\"waiting\":0"));
		}
	}

	/** Redis 6.2 and 7.0 treat such an entry differently. */
	@ParameterizedTest
	@EnumSource(RedisRelease.class)
	void aPendingEntryThatTheLogLostIsPutAside(RedisRelease release) {
		try (RedisProcess redis = release.start();
				Site site = Site.startAt("127.0.0.1", redis.port(), "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(site);
			alice.post("lost");
			String entry = site.redis().xrevrange("{live}:log", Range.unbounded()).get(0).getId();
			site.redis()
				.xgroupCreate(XReadArgs.StreamOffset.from("{live}:log", "0"), "fanout",
						XGroupCreateArgs.Builder.mkstream());
			site.redis().xreadgroup(Consumer.from("fanout", "dead"), XReadArgs.StreamOffset.lastConsumed("{live}:log"));
			site.redis().xclaim("{live}:log", Consumer.from("fanout", "dead"), new XClaimArgs().idle(60_000), entry);
			site.redis().xdel("{live}:log", entry);
			FanOutQueue queue = site.bean(FanOutQueue.class);
			assertThat(queue.abandoned().block(BOUND)).isEmpty();
			assertThat(site.redis().xrange("{live}:dead", Range.unbounded())).singleElement()
				.satisfies((dead) -> assertThat(dead.getBody()).containsEntry("entry", entry));
			assertThat(queue.abandoned().block(BOUND)).isEmpty();
			assertThat(site.redis().xlen("{live}:dead")).isOne();
		}
	}

}
