package live.retwis.delivery;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LogLength;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Repeating something that is done already adds nothing to the log, so it does not
 * shorten the time that others can resume from.
 */
@ExtendWith(RedisExtension.class)
class OnlyChangesAreLoggedTests {

	private static final Duration SOON = Duration.ofSeconds(10);

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

	/** Reactions are written to the log after the answer. */
	private static void settle(Site site) {
		Awaitility.await().atMost(SOON).until(() -> site.redis().zcard(Keys.INTENTS) == 0);
		FanOutWait.settle(site);
	}

	@Test
	@Tag("slow")
	void soDoRepeatedRestrictionsReactionsAndProfiles(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String post = author.post("liked");
			String profile = "/@" + author.name();
			reader.get(profile);
			for (String path : List.of("/posts/" + post + "/like", "/posts/" + post + "/unlike",
					"/posts/" + post + "/repost", profile + "/mute", profile + "/unmute", profile + "/block",
					profile + "/unblock")) {
				reader.submit(path);
				settle(site);
				long before = LogLength.of(site);
				for (int i = 0; i < TIMES; i++) {
					assertThat(reader.submit(path).status()).as(path).isEqualTo(303);
				}
				settle(site);
				assertThat(LogLength.of(site)).as(path).isEqualTo(before);
			}
			long before = LogLength.of(site);
			for (int i = 0; i < TIMES; i++) {
				assertThat(reader.submit("/settings/profile", "name", "Reader", "bio", "reads").status())
					.isEqualTo(303);
			}
			assertThat(LogLength.of(site)).isEqualTo(before + 1);
			assertThat(site.redis().zcard(Keys.INTENTS)).isZero();
		}
	}

}
