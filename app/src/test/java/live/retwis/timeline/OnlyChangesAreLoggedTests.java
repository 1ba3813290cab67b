package live.retwis.timeline;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.EventStream;
import live.retwis.testing.LogLength;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Repeating something that is done already adds nothing to the log, so it does not
 * shorten the time that others can resume from.
 */
@ExtendWith(RedisExtension.class)
class OnlyChangesAreLoggedTests {

	private static final int TIMES = 20;

	@Test
	void repeatedDeletionsFollowsAndUnfollowsMakeNoEntryAndNoEvent(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis); EventStream everyone = Visitor.of(site).open("/live/public")) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String post = author.post("goes");
			reader.get("/@" + author.name());
			for (int i = 0; i < TIMES; i++) {
				assertThat(reader.submit("/@" + author.name() + "/follow").status()).isEqualTo(303);
			}
			for (int i = 0; i < TIMES; i++) {
				assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
			}
			for (int i = 0; i < TIMES; i++) {
				assertThat(reader.submit("/@" + author.name() + "/unfollow").status()).isEqualTo(303);
			}
			everyone.awaitPost(author.post("last"));
			assertThat(everyone.events("delete")).hasSize(1);
			assertThat(LogLength.of(site)).as("start, post, follow, delete, unfollow, post").isEqualTo(6);
			assertThat(site.redis().zcard("{live}:intents")).isZero();
		}
	}

}
