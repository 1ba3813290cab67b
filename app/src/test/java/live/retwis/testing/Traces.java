package live.retwis.testing;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

/**
 * Where a word, such as a user's id, stands in what is stored.
 */
public final class Traces {

	/** What is remembered only for what was under way goes by itself. */
	private static final long DAY = Duration.ofDays(1).toMillis();

	private Traces() {
	}

	/** Keys that have it in their name or in their content for longer than a day. */
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
