package live.retwis.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import reactor.core.publisher.Mono;

/**
 * Reads many values of a cache at once.
 */
public final class CacheLoads {

	private CacheLoads() {
	}

	/**
	 * The values in the order of their keys, those that are not there left out; unknown
	 * ones are loaded in one round trip. When all are known, as on most pages, nothing is
	 * waited for. Cancelling leaves the loads to whoever else wants them.
	 */
	public static <T> Mono<List<T>> all(AsyncLoadingCache<String, T> cache, Collection<String> keys) {
		return Mono.defer(() -> {
			List<CompletableFuture<T>> loads = new ArrayList<>(keys.size());
			keys.forEach((key) -> loads.add(cache.get(key)));
			for (CompletableFuture<T> load : loads) {
				if (!load.isDone() || load.isCompletedExceptionally()) {
					return Mono.fromFuture(CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new)), true)
						.then(Mono.fromSupplier(() -> values(loads)));
				}
			}
			return Mono.just(values(loads));
		});
	}

	private static <T> List<T> values(List<CompletableFuture<T>> loads) {
		List<T> values = new ArrayList<>(loads.size());
		for (CompletableFuture<T> load : loads) {
			T value = load.join();
			if (value != null) {
				values.add(value);
			}
		}
		return values;
	}

}
