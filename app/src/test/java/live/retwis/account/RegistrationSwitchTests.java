package live.retwis.account;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class RegistrationSwitchTests {

	@Test
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
