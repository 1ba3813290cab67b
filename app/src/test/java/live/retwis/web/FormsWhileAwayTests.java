package live.retwis.web;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A form that cannot be taken now loses no text. */
@ExtendWith(RedisExtension.class)
class FormsWhileAwayTests {

	private static final String DOWN = "-CLUSTERDOWN The cluster is down\r\n";

	@Test
	void theAnswerHasTheFormWithItsTextsAndItCanBeSentFromThere(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor user = Visitor.registered(site);
			user.get("/settings");
			try (Interception away = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.picture(user.id()))))
				.rewriteReply((reply) -> DOWN)) {
				Answer answer = user.submit("/settings/profile", "name", "小明", "bio", "many words");
				assertThat(away.met()).isPositive();
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.header("Retry-After")).isNotEmpty();
				assertThat(answer.body())
					.contains("action=\"/settings/profile\"", "小明", "many words", "Perhaps it was not saved")
					.containsPattern("name=\"_csrf\" value=\"[^\"]+\"");
			}
			assertThat(user.submit("/settings/profile", "name", "小明", "bio", "many words").status())
				.as("with the token of the answer")
				.isEqualTo(303);
		}
	}

}
