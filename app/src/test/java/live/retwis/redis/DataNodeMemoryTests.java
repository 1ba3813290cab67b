package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Before a data node is full, the site takes nothing new. */
@ExtendWith(RedisExtension.class)
class DataNodeMemoryTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Beside it, what connections take is little. */
	private static final int FILLER_BYTES = 20_000_000;

	private static final Pattern USED = Pattern.compile("used_memory:(\\d+)");

	@Test
	@Tag("slow")
	@Tag("long")
	void whileTheDataNodeIsNearlyFullNothingNewIsTakenAndWhatEndsSomethingWorks(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor author = Visitor.registered(site);
			String post = author.post("before");
			Visitor other = Visitor.registered(site);
			String reported = other.post("of somebody else");
			Visitor followed = Visitor.registered(site);
			author.follow(followed);
			author.get("/posts/" + post);
			author.submit("/posts/" + post + "/like");
			site.redis().setrange("filler", FILLER_BYTES, "x");
			Matcher used = USED.matcher(site.redis().info("memory"));
			assertThat(used.find()).isTrue();
			site.redis().configSet("maxmemory", Long.toString(Long.parseLong(used.group(1)) * 21 / 20));
			DataNodeMemory memory = site.bean(DataNodeMemory.class);
			Awaitility.await().atMost(SOON).until(memory::isNearlyFull);
			Visitor stranger = Visitor.of(site);
			stranger.get("/register");
			assertThat(stranger.register(Visitor.freshName(), Visitor.PASSWORD).status()).isEqualTo(507);
			author.get("/home");
			for (String more : List.of("/posts/" + post + "/repost", "/posts/" + post + "/bookmark",
					"/@" + other.name() + "/follow", "/posts/" + reported + "/report")) {
				Answer notTaken = author.submit(more, "reason", "spam");
				assertThat(notTaken.status()).as(more).isEqualTo(507);
				assertThat(notTaken.body()).contains("has no room for anything new");
				author.get("/home");
			}
			Answer profile = author.submit("/settings/profile", "name", "A new name");
			assertThat(profile.status()).isEqualTo(507);
			assertThat(profile.body()).contains("A new name", "has no room for changes");
			author.get("/home");
			for (String less : List.of("/posts/" + post + "/unlike", "/@" + followed.name() + "/unfollow",
					"/@" + other.name() + "/block", "/@" + other.name() + "/unblock")) {
				assertThat(author.submit(less).status()).as(less).isEqualTo(303);
				author.get("/home");
			}
			Answer refused = author.submit("/posts", "body", "one too many");
			assertThat(refused.status()).isEqualTo(507);
			assertThat(refused.body()).contains("one too many", "has no room for new posts");
			author.get("/home");
			assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
			author.get("/home");
			assertThat(author.submit("/logout").status()).isEqualTo(303);
			assertThat(author.isSignedIn()).isFalse();
			site.redis().configSet("maxmemory", "0");
			Awaitility.await().atMost(SOON).until(() -> !memory.isNearlyFull());
			Visitor.registered(site).post("after");
		}
	}

	@Test
	void aNodeWithoutABoundMayUseAllMemoryOfItsMachine() {
		assertThat(DataNodeMemory.used(info("used_memory", 50, "maxmemory", 200, "total_system_memory", 1000)))
			.isEqualTo(0.25, within(0.001));
		assertThat(DataNodeMemory.used(info("used_memory", 50, "maxmemory", 0, "total_system_memory", 1000)))
			.isEqualTo(0.05, within(0.001));
		assertThat(DataNodeMemory.used(info("used_memory", 50, "maxmemory", 0))).isZero();
		assertThat(DataNodeMemory.used(new Properties())).isZero();
	}

	private static Properties info(Object... facts) {
		Properties info = new Properties();
		for (int i = 0; i < facts.length; i += 2) {
			info.setProperty((String) facts[i], facts[i + 1].toString());
		}
		return info;
	}

}
