package live.retwis.account;

import java.time.Duration;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
@SuppressWarnings("NullAway.Init")
class LoginLimitTests {

	private static final int WINDOW = 6;

	private static Site site;

	private static TestRedis store;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		store = redis;
		site = Site.start(redis, "--retwis.limits.enabled=true", "--retwis.limits.login-tries=3",
				"--retwis.limits.login-tries-by-address=5", "--retwis.limits.login-window=" + WINDOW + "s");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BeforeEach
	void forgetTries() {
		store.flushAll();
	}

	private static Answer login(String username, String password) {
		Visitor visitor = Visitor.of(site);
		visitor.get("/login");
		return visitor.submit("/login", "username", username, "password", password);
	}

	@Test
	void tooManyTriesForANameGet429UntilTheWindowIsOver() {
		String name = Visitor.registered(site).name();
		for (int i = 0; i < 3; i++) {
			assertThat(login(name, "wrong password").status()).isEqualTo(401);
		}
		Answer refused = login(name, Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, WINDOW);
		assertThat(refused.errors()).singleElement().asString().startsWith("Too many attempts.");
		assertThat(refused.body()).doesNotContain(Visitor.PASSWORD).contains("value=\"" + name + "\"");
		assertThat(refused.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
		Awaitility.await()
			.atMost(Duration.ofSeconds(2 * WINDOW))
			.until(() -> login(name, Visitor.PASSWORD).status() == 303);
	}

	@Test
	void anotherSpellingOfTheNameCountsAsTheSameName() {
		String name = Visitor.registered(site).name();
		for (int i = 0; i < 3; i++) {
			login(name, "wrong password");
		}
		assertThat(login(name.toUpperCase(), Visitor.PASSWORD).status()).isEqualTo(429);
	}

	@Test
	void tooManyTriesFromAnAddressGet429ForEveryName() {
		String name = Visitor.registered(site).name();
		for (int i = 0; i < 5; i++) {
			assertThat(login("nobody_" + i, "wrong password").status()).isEqualTo(401);
		}
		assertThat(login(name, Visitor.PASSWORD).status()).isEqualTo(429);
	}

	@Test
	void successfulLogInsAreNotCounted() {
		String name = Visitor.registered(site).name();
		for (int i = 0; i < 6; i++) {
			assertThat(login(name, Visitor.PASSWORD).status()).isEqualTo(303);
		}
	}

}
