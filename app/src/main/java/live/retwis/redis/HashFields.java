package live.retwis.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/**
 * Reads several fields of a hash by their names.
 */
public final class HashFields {

	private HashFields() {
	}

	/** HMGET: the values of the fields that exist, by name. */
	public static Mono<Map<String, String>> read(ReactiveStringRedisTemplate redis, String key, String... names) {
		return redis.<String, @Nullable String>opsForHash()
			.multiGet(key, List.of(names))
			.map((values) -> named(List.of(names), values));
	}

	/** The values that are not null, by name. Names and values are in the same order. */
	public static Map<String, String> named(List<String> names, List<@Nullable String> values) {
		Map<String, String> fields = new HashMap<>();
		for (int i = 0; i < names.size(); i++) {
			String value = values.get(i);
			if (value != null) {
				fields.put(names.get(i), value);
			}
		}
		return fields;
	}

}
