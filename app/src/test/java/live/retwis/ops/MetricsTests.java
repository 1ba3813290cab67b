package live.retwis.ops;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.limit.RateLimit;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Metrics count each event once.
 */
@ExtendWith(RedisExtension.class)
class MetricsTests {

	/**
	 * The data node is asked every 10 s. Noticing that it is dead takes some seconds
	 * more.
	 */
	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static String scrape(Site site) {
		return Visitor.ofManagement(site).get("/actuator/prometheus").body();
	}

	private static void assertCounted(Site site, String... samples) {
		assertThat(scrape(site)).contains(samples);
	}

	@Test
	void accountsLogInsAndPostsAreCountedByTheirResult(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.limits.enabled=true", "--retwis.limits.wrong-passwords=2/1m",
				"--retwis.limits.timeout=5s")) {
			assertCounted(site, "retwis_registrations_total{result=\"done\"} 0.0",
					"retwis_posts_total{result=\"committed\"} 0.0", "retwis_logins_total{result=\"limited\"} 0.0");
			Visitor alice = Visitor.registered(site);
			Visitor other = Visitor.of(site);
			other.get("/register");
			assertThat(other.register(alice.name(), Visitor.PASSWORD).status()).isEqualTo(409);
			other.get("/login");
			assertThat(other.signIn(alice.name(), Visitor.PASSWORD).status()).isEqualTo(303);
			Visitor guesser = Visitor.of(site);
			guesser.get("/login");
			for (int status : new int[] { 401, 401, 429 }) {
				assertThat(guesser.signIn(alice.name(), "wrong password").status()).isEqualTo(status);
			}
			alice.post("first");
			alice.get("/home");
			String once = UUID.randomUUID().toString();
			for (int i = 0; i < 2; i++) {
				assertThat(alice.postJson("body", "second", "once", once).status()).isEqualTo(201);
			}
			assertThat(alice.postJson("body", " ", "once", UUID.randomUUID().toString()).status()).isEqualTo(422);
			assertCounted(site, "retwis_registrations_total{result=\"done\"} 1.0",
					"retwis_registrations_total{result=\"taken\"} 1.0", "retwis_logins_total{result=\"done\"} 1.0",
					"retwis_logins_total{result=\"wrong\"} 2.0", "retwis_logins_total{result=\"limited\"} 1.0",
					"retwis_posts_total{result=\"committed\"} 2.0", "retwis_posts_total{result=\"repeated\"} 1.0",
					"retwis_posts_total{result=\"backlog\"} 0.0");
		}
	}

	@Test
	void whatIsRefusedIsCountedUnderItsRuleAlone() {
		Visitor alice = Visitor.limited();
		alice.get("/home");
		Map<String, Double> before = refused();
		for (int i = 0; i < 13; i++) {
			assertThat(alice.postJson("body", "again", "once", UUID.randomUUID().toString()).status())
				.isEqualTo((i < 10) ? 201 : 429);
		}
		Map<String, Double> expected = new HashMap<>(before);
		expected.merge("posts", 3.0, Double::sum);
		assertThat(refused()).hasSize(RateLimit.values().length).isEqualTo(expected);
	}

	/** How often each rule of the limited instance has refused something. */
	private static Map<String, Double> refused() {
		return Pattern.compile("(?m)^retwis_limits_refused_total\\{rule=\"([a-z-]+)\"} (\\S+)$")
			.matcher(scrape(Site.limited()))
			.results()
			.collect(Collectors.toMap((line) -> line.group(1), (line) -> Double.valueOf(line.group(2))));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void metricsShowThatTheDataNodeIsAwayAndCountThePostsThatFail(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			alice.get("/home");
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertCounted(site, "retwis_data_up 1.0"));
			redis.kill();
			assertThat(alice.postJson("body", "lost", "once", UUID.randomUUID().toString()).status()).isEqualTo(503);
			assertCounted(site, "retwis_posts_total{result=\"away\"} 1.0");
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertCounted(site, "retwis_data_up 0.0"));
			assertThat(Visitor.ofManagement(site).get("/actuator/health/readiness").status()).isEqualTo(503);
			assertThat(Visitor.ofManagement(site).get("/actuator/health/liveness").status()).isEqualTo(200);
			redis.restart();
			Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertCounted(site, "retwis_data_up 1.0"));
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> Visitor.ofManagement(site).get("/actuator/health/readiness").status() == 200);
		}
	}

	@Test
	void theAgeOfTheFanOutBacklogIsMeasured(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Visitor.registered(site).post("waits");
			Awaitility.await()
				.atMost(LIMIT)
				.untilAsserted(() -> assertThat(scrape(site)).containsPattern("retwis_fanout_oldest_seconds [1-9]")
					.containsPattern("retwis_fanout_waiting [1-9]"));
		}
	}

	@Test
	void requestsAreCountedByRouteAndUnknownAddressesAsOne(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor visitor = Visitor.registered(site);
			visitor.get("/@" + visitor.name());
			for (int i = 0; i < 20; i++) {
				visitor.get("/nowhere" + i);
				visitor.get("/@nobody" + i + "/followers");
				visitor.get("/posts/000000000000" + i % 10);
				visitor.get("/assets/x/none" + i);
				visitor.send("VERB" + i, "/timeline", BodyPublishers.noBody());
				visitor.submit("/nowhere" + i);
			}
			String metrics = scrape(site);
			Set<String> routes = Pattern.compile("http_server_requests_seconds_count\\{[^}]*uri=\"([^\"]*)\"")
				.matcher(metrics)
				.results()
				.map((result) -> result.group(1))
				.collect(Collectors.toSet());
			assertThat(routes)
				.contains("/@{username}", "/@{username}/followers", "/posts/{id}", "NOT_FOUND", "/timeline",
						"/register")
				.hasSizeLessThan(12);
			assertThat(metrics).doesNotContain("VERB", "nowhere", "nobody")
				.containsPattern("http_server_requests_seconds_bucket\\{[^}]*uri=\"/register\",le=\"0.05\"");
		}
	}

	@Test
	void theDelayOfTheEventLoopsIsMeasured() {
		Site site = Site.shared();
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(scrape(site)).containsPattern("retwis_loop_delay_seconds_count [1-9]"));
	}

}
