package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.lettuce.core.Consumer;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.RedisRelease;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An upgrade from a release that names the keys of home timelines differently.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class UpgradeGateTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	@Test
	@Tag("slow")
	void whileTheOldReleaseRunsNoTimelineBeginsAndReadersMissNothing(@OwnRedis TestRedis redis) {
		try (Site first = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Consumer<String> old = Consumer.from("fanout", "4FzVxk9oZbQ1abcd");
			Awaitility.await().atMost(BOUND).until(() -> first.redis().xlen("{live}:log") > 0);
			first.redis()
				.xgroupCreate(StreamOffset.from("{live}:log", "0"), "fanout", XGroupCreateArgs.Builder.mkstream());
			first.redis().xreadgroup(old, StreamOffset.lastConsumed("{live}:log"));
			try (Site site = Site.start(redis)) {
				Visitor author = Visitor.registered(site);
				Visitor reader = Visitor.registered(site);
				reader.follow(author);
				author.post("handled by the older release");
				first.redis().xreadgroup(old, StreamOffset.lastConsumed("{live}:log"));
				assertThat(reader.get("/home").posts()).containsExactly("handled by the older release");
				author.post("left for this one");
				assertThat(reader.get("/home").posts()).containsExactly("left for this one",
						"handled by the older release");
				List<String> timelines = List.of(Keys.homeTimeline(reader.id()), Keys.homeTimeline(author.id()));
				assertThat(site.keys("{t*}:*")).doesNotContainAnyElementsOf(timelines);
				assertThat(site.redis().xpending("{live}:log", "fanout").getConsumerMessageCount())
					.containsOnlyKeys(old.getName());

				first.redis().xgroupDelconsumer("{live}:log", old);
				Awaitility.await().atMost(BOUND).until(() -> {
					reader.get("/home");
					return site.redis().zcard(Keys.homeTimeline(reader.id())) == 2;
				});
				author.post("as ever");
				Awaitility.await().atMost(BOUND).until(() -> site.redis().zcard(Keys.homeTimeline(reader.id())) == 3);
				assertThat(reader.get("/home").posts()).containsExactly("as ever", "left for this one",
						"handled by the older release");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aConsumerThatTakesNoOldEntriesCountsAsGone(RedisRelease release) {
		try (RedisProcess redis = release.start();
				Site site = Site.startAt("127.0.0.1", redis.port(), "--retwis.fan-out.worker=false")) {
			site.bean(CommitLog.class).head().block(BOUND);
			site.redis().xgroupCreate(StreamOffset.from("{live}:log", "0"), "fanout");
			assertThat(isAtWork(site, 0)).as("nobody").isFalse();
			Consumer<String> old = Consumer.from("fanout", "4FzVxk9oZbQ1abcd");
			site.redis().xreadgroup(old, StreamOffset.lastConsumed("{live}:log"));
			assertThat(isAtWork(site, 0)).as("a quiet site").isTrue();
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> site.redis().xinfoConsumers("{live}:log", "fanout").toString().matches(".*idle, [1-9].*"));
			site.redis().xadd("{live}:log", Map.of("nonce", "n", "type", "follow"));
			assertThat(isAtWork(site, 60_000)).as("an entry that has just come").isTrue();
			assertThat(isAtWork(site, 0)).as("an entry that it leaves").isFalse();
			site.redis().xreadgroup(old, StreamOffset.lastConsumed("{live}:log"));
			assertThat(isAtWork(site, 0)).as("an entry that it has taken up").isTrue();
		}
	}

	private static boolean isAtWork(Site site, long millis) {
		return site.bean(DataNodeCommands.class)
			.run(LuaScript.named("older-release"), List.of("{live}:log"), "fanout", ConsumerGroup.MARK,
					Long.toString(millis))
			.blockOptional(BOUND)
			.orElseThrow()
			.equals(List.of("1"));
	}

}
