package live.retwis.live;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.Answer;
import live.retwis.testing.Commits;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A stored post whose fields cannot be read.
 */
@ExtendWith(RedisExtension.class)
class UnreadablePostTests {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final String NO_NUMBER = "0000000000001";

	private static final String NO_NAME = "0000000000002";

	private static final String NO_HASH = "0000000000003";

	@Test
	void isSkippedCountedAndLoggedAndTheStreamContinues(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home"); EventStream everyone = alice.open("/live/public")) {
				List<String> posts = new ArrayList<>(List.of(alice.post("before")));
				site.redis()
					.hset("post:" + NO_NUMBER, Map.of("author", alice.id(), "username", alice.name(), "created",
							"yesterday", "body", "when?"));
				site.redis().hset("post:" + NO_NAME, Map.of("author", alice.id(), "created", "1", "body", "whose?"));
				site.redis().set("post:" + NO_HASH, "what?");
				List.of(NO_NUMBER, NO_NAME, NO_HASH).forEach((id) -> publish(site, alice, id));
				for (int i = 0; i < 20; i++) {
					posts.add(alice.post("later " + i));
				}
				home.awaitPost("later 19");
				everyone.awaitPost("later 19");
				assertThat(EventStreams.postIds(home.events())).isEqualTo(posts);
				assertThat(EventStreams.postIds(everyone.events())).isEqualTo(posts);
			}
			assertThat(alice.get("/timeline").posts()).hasSize(21).last().isEqualTo("before");
			site.redis().zadd("posts:" + alice.id(), 1, NO_NUMBER);
			assertThat(alice.get("/@" + alice.name()).posts()).startsWith("later 19");
			assertThat(alice.get("/posts/" + NO_NUMBER).status()).isEqualTo(404);
			assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_posts_unreadable_total 3.0");
			JsonNode told = Visitor.ofManagement(site).get("/actuator/health").json().get("components");
			assertThat(told.get("posts").get("details").get("unreadable").toString()).contains(NO_NUMBER, NO_NAME,
					NO_HASH);
			assertThat(told.get("live").get("status").asString()).isEqualTo("UP");
			assertThat(Visitor.ofManagement(site).get("/actuator/health/readiness").status()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@ValueSource(booleans = { false, true })
	void whoeverHasToDoWithItIsServedAllTheSame(boolean archive, @OwnRedis TestRedis redis,
			@TempDir(factory = MemoryDisk.class) Path directory) {
		String url = archive ? EmbeddedArchiveUrl.in(directory) : "";
		try (Site site = Site.start(redis, "--retwis.archive.url=" + url)) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			Visitor carol = Visitor.registered(site);
			carol.follow(bob);
			String post = alice.post("soon broken #news @" + bob.name());
			String own = bob.post("broken, too");
			bob.get("/posts/" + post);
			for (String action : List.of("like", "repost", "bookmark")) {
				assertThat(bob.submit("/posts/" + post + "/" + action).status()).as(action).isEqualTo(303);
			}
			reply(bob, post);
			FanOutWait.settle(site);
			for (String id : List.of(post, own)) {
				site.redis().del(Keys.post(id));
				site.redis().set(Keys.post(id), "what?");
			}
			String late = reply(bob, post);
			FanOutWait.settle(site);
			assertThat(carol.get("/home").postIds()).as("a reply to a post that was in the cache").contains(late);
			site.bean(RenderedPosts.class).reset();
			for (String page : List.of("/tags/news", "/tags/news/feed", "/mentions", "/notifications", "/bookmarks",
					"/home", "/@" + bob.name(), "/posts/" + late)) {
				assertThat(bob.get(page).status()).as(page).isEqualTo(200);
			}
			bob.get("/settings");
			bob.submit("/settings/delete", "password", Visitor.PASSWORD);
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(site.redis().exists(Keys.username(bob.name()))).isZero());
			assertThat(site.redis().exists(Keys.DEAD_LETTERS)).isZero();
			assertThat(site.redis().exists(Keys.ARCHIVE_DELETED)).as("notes that nobody reads")
				.isEqualTo(archive ? 1 : 0);
		}
	}

	private static String reply(Visitor visitor, String post) {
		Answer made = visitor.postJson("body", "a reply", "once", UUID.randomUUID().toString(), "reply_to", post);
		assertThat(made.status()).as(made.body()).isEqualTo(201);
		return made.json().get("posts").get(0).get("id").asString();
	}

	private static void publish(Site site, Visitor author, String postId) {
		Commits.publish(site, postId, author.id(), postId).block(LIMIT);
	}

}
