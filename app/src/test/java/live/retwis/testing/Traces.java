package live.retwis.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

import static org.assertj.core.api.Assertions.assertThat;

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

	/**
	 * Checks that no other key contains the word, except the log and what works on it,
	 * which drop old entries by themselves.
	 */
	public static void assertNone(Site site, String word, Collection<String> allowed) {
		Set<String> lasting = new HashSet<>(lasting(site, word));
		lasting.removeAll(List.of("{live}:log", "{live}:closed", "{live}:intents", "{live}:dead", "{live}:fanout",
				"{live}:postponed"));
		lasting.removeAll(allowed);
		assertThat(lasting).as("keys with " + word).isEmpty();
	}

	private static boolean isLasting(long life) {
		return life == -1 || life > DAY;
	}

	private static String content(RedisClusterCommands<String, String> redis, String key) {
		return switch (redis.type(key)) {
			case "string" -> redis.get(key);
			case "hash" -> redis.hgetall(key).toString();
			case "list" -> String.join(" ", redis.lrange(key, 0, -1));
			case "set" -> String.join(" ", redis.smembers(key));
			case "zset" -> String.join(" ", redis.zrange(key, 0, -1));
			case "stream" -> redis.xrange(key, Range.unbounded()).toString();
			default -> "";
		};
	}

}
