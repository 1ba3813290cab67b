package live.retwis.testing;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

/** Finds where a word, such as a user's id, occurs in the stored data. */
public final class Traces {

	/** Keys that only help writes in progress expire within this time, in ms. */
	private static final long DAY = Duration.ofDays(1).toMillis();

	private Traces() {
	}

	/** Keys that have the word in their name or content and live longer than a day. */
	public static List<String> lasting(Site site, String word) {
		RedisClusterCommands<String, String> redis = site.redis();
		return site.keys("*")
			.stream()
			.filter((key) -> isLasting(redis.pttl(key)))
			.filter((key) -> key.contains(word) || content(redis, key).contains(word))
			.sorted()
			.toList();
	}

	private static boolean isLasting(long life) {
		return life == -1 || life > DAY;
	}

	private static String content(RedisClusterCommands<String, String> redis, String key) {
		return switch (redis.type(key)) {
			case "string" -> redis.get(key);
			case "hash" -> redis.hgetall(key).toString();
			case "zset" -> String.join(" ", redis.zrange(key, 0, -1));
			case "stream" -> redis.xrange(key, Range.unbounded()).toString();
			default -> "";
		};
	}

}
