package live.retwis.redis;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The site while its Redis is away, and afterwards.
 */
@ExtendWith(RedisExtension.class)
class AwayTests {

	private static final Duration AT_MOST = Duration.ofSeconds(3);

	private static final Duration BACK = Duration.ofSeconds(20);

	@Test
	@Tag("slow")
	void everyPageSaysSoInTimeWhenRedisIsKilledAndTheSiteComesBack(
			@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor visitor = Visitor.registered(site);
			String post = visitor.post("before");
			Answer home = visitor.get("/home");
			redis.kill();
			assertEveryPageIs503(visitor, post);
			assertHealth(site, 503);
			Answer kept = assertTextIsKept(visitor, home.once());
			redis.restart();
			assertComesBack(site, visitor, kept);
		}
	}

	@Test
	@Tag("slow")
	void everyPageAnswers503InTimeAlsoWithLimitsWhileRedisIsAwayAndWorksAfterwards(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.limits.enabled=true")) {
			Visitor visitor = Visitor.registered(site);
			String post = visitor.post("before");
			Answer home = visitor.get("/home");
			redis.pause();
			Answer kept;
			try {
				assertEveryPageIs503(visitor, post);
				kept = assertTextIsKept(visitor, home.once());
			}
			finally {
				redis.resume();
			}
			assertComesBack(site, visitor, kept);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aSiteThatStartedWithoutRedisWorksWhenRedisIsThere(@OwnRedis TestRedis redis) {
		redis.kill();
		try (Site site = Site.start(redis)) {
			Visitor visitor = Visitor.of(site);
			assertThat(visitor.get("/timeline").status()).isEqualTo(503);
			assertThat(visitor.get("/login").status()).isEqualTo(200);
			redis.restart();
			Awaitility.await().atMost(BACK).until(() -> visitor.get("/timeline").status() == 200);
			Visitor author = Visitor.registered(site);
			Visitor follower = Visitor.registered(site);
			follower.follow(author);
			author.post("alive");
			Awaitility.await().atMost(BACK).until(() -> follower.get("/home").posts().contains("alive"));
			assertHealth(site, 200);
		}
	}

	private static void assertEveryPageIs503(Visitor visitor, String post) {
		List<String> pages = List.of("/", "/home", "/timeline", "/@" + visitor.name(),
				"/@" + visitor.name() + "/followers", "/posts/" + post, "/posts/0000000000000", "/register");
		Simultaneous.times(pages.size(), (i) -> visitor.get(pages.get(i)))
			.forEach((answer) -> assertAway(answer.response().uri().getPath(), answer));
		Answer json = visitor.getJson("/home");
		assertAway("/home as JSON", json);
		assertThat(json.header("Content-Type")).startsWith("application/problem+json");
		assertAway("HEAD", visitor.send("HEAD", "/timeline", BodyPublishers.noBody()));
		List<String> forms = List.of("/login", "/register", "/logout", "/posts/" + post + "/delete",
				"/@" + visitor.name() + "x/follow");
		Simultaneous
			.times(forms.size(),
					(i) -> visitor.submit(forms.get(i), "username", "somebody", "password", Visitor.PASSWORD,
							"password2", Visitor.PASSWORD))
			.forEach((answer) -> assertAway(answer.response().uri().getPath(), answer));
		assertThat(visitor.get("/assets/x/site.css").status()).isEqualTo(200);
		assertThat(visitor.get("/nowhere").status()).isEqualTo(404);
	}

	private static void assertAway(String what, Answer answer) {
		assertThat(answer.status()).as(what).isEqualTo(503);
		assertThat(answer.header("Retry-After")).as(what).matches("[1-9]\\d*");
		assertThat(answer.took()).as(what).isLessThan(AT_MOST);
		assertThat(answer.body()).as(what).doesNotContain("Exception", "lettuce");
	}

	private static Answer assertTextIsKept(Visitor visitor, String once) {
		Answer answer = visitor.submit("/posts", "body", "do not lose <me>", "once", once);
		assertAway("POST /posts", answer);
		assertThat(answer.textarea()).isEqualTo("do not lose <me>");
		assertThat(answer.once()).isEqualTo(once);
		assertThat(answer.errors()).singleElement().asString().contains("Your text is still here");
		return answer;
	}

	private static void assertComesBack(Site site, Visitor visitor, Answer kept) {
		Awaitility.await().atMost(BACK).until(() -> visitor.get("/home").status() == 200);
		for (int i = 0; i < 2; i++) {
			assertThat(visitor.submit("/posts", "body", kept.textarea(), "once", kept.once()).status()).isEqualTo(303);
		}
		assertThat(visitor.get("/home").texts()).containsExactly("do not lose <me>", "before");
		visitor.post("after");
		assertThat(visitor.get("/home").texts()).startsWith("after");
		assertThat(Visitor.registered(site).isSignedIn()).isTrue();
		assertHealth(site, 200);
	}

	private static void assertHealth(Site site, int readiness) {
		Visitor operations = Visitor.ofManagement(site);
		assertThat(operations.get("/actuator/health/liveness").status()).isEqualTo(200);
		assertThat(operations.get("/actuator/health/readiness").status()).isEqualTo(readiness);
	}

}
