package live.retwis.account;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@ExtendWith(RedisExtension.class)
class RegistrationSwitchTests {

	@Test
	void aValueThatIsNeitherOpenNorClosedIsToldInTheLog(@OwnRedis TestRedis redis, CapturedOutput output) {
		try (Site site = Site.start(redis)) {
			Visitor stranger = Visitor.of(site);
			assertThat(stranger.get("/register").status()).isEqualTo(200);
			site.redis().set(Keys.REGISTRATION, "ajar");
			Awaitility.await().until(() -> stranger.get("/register").status() == 403);
			assertThat(output)
				.containsOnlyOnce("{moderation}:registration is \"ajar\". It must be \"open\" or \"closed\".");
		}
	}

	@Test
	@Tag("slow")
	void theSettingCountsAtTheFirstStartOnly(@OwnRedis TestRedis redis) {
		try (Site first = Site.start(redis, "--retwis.registration=closed")) {
			Visitor stranger = Visitor.of(first);
			Answer form = stranger.get("/register");
			assertThat(form.status()).isEqualTo(403);
			assertThat(form.body()).contains("Registration is closed.");
			Answer welcome = stranger.get("/");
			assertThat(welcome.body()).contains("Registration is closed.", "action=\"/login\"")
				.doesNotContain("action=\"/register\"");
			assertThat(stranger.register("alice", Visitor.PASSWORD).status()).isEqualTo(403);
			assertThat(first.redis().get("username:alice")).isNull();
			first.bean(RegistrationSwitch.class).set(RegistrationMode.OPEN).block();
			Awaitility.await().until(() -> stranger.get("/register").status() == 200);
			try (Site second = Site.start(redis, "--retwis.registration=closed")) {
				Visitor visitor = Visitor.of(second);
				visitor.get("/");
				assertThat(visitor.register("alice", Visitor.PASSWORD).status()).isEqualTo(303);
			}
		}
	}

}
