package live.retwis.doctor;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Claims fences as a lock would, and remembers for which keys.
 */
final class FencingGuard implements Guard {

	private static final String OWNER = "owner";

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	private final RedisClusterCommands<String, String> redis;

	FencingGuard(RedisClusterCommands<String, String> redis) {
		this.redis = redis;
	}

	@Override
	public <T> Mono<T> guarded(String key, Function<String, Mono<T>> body) {
		return Mono.fromRunnable(() -> {
			this.keys.add(key);
			this.redis.psetex(Keys.fence(key), 5000, OWNER);
		}).subscribeOn(Schedulers.boundedElastic()).then(Mono.defer(() -> body.apply(OWNER)));
	}

	List<String> keys() {
		return this.keys.stream().sorted().toList();
	}

}
