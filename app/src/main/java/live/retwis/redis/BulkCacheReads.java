package live.retwis.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads many values from a cache at once. */
public final class BulkCacheReads {

	private BulkCacheReads() {
	}

	/**
	 * The values, in the order of their keys. Keys without a value are left out. Values
	 * that are not in the cache are loaded in one round trip. When all values are in the
	 * cache, as for most pages, nothing waits. Cancelling does not stop the loads,
	 * because others may wait for them.
	 */
	public static <T> Mono<List<T>> all(AsyncLoadingCache<String, T> cache, Collection<String> keys) {
		return all(() -> keys.stream().map(cache::get).toList());
	}

	/**
	 * The same.
	 * @param begin begins to load the values
	 */
	public static <T> Mono<List<T>> all(Supplier<List<CompletableFuture<T>>> begin) {
		return Mono.deferContextual((context) -> {
			List<CompletableFuture<T>> loads = CommandRecorderContext.within(CommandRecorderContext.of(context), begin);
			for (CompletableFuture<T> load : loads) {
				if (!load.isDone() || load.isCompletedExceptionally()) {
					return Mono.fromFuture(CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new)), true)
						.then(Mono.fromSupplier(() -> values(loads)));
				}
			}
			return Mono.just(values(loads));
		});
	}

	/**
	 * The values without those of keys that have none; null when not all of them are in
	 * the cache.
	 */
	public static <T> @Nullable List<T> known(AsyncCache<String, T> cache, Collection<String> keys) {
		List<T> values = new ArrayList<>(keys.size());
		for (String key : keys) {
			CompletableFuture<T> load = cache.getIfPresent(key);
			if (load == null || !load.isDone() || load.isCompletedExceptionally()) {
				return null;
			}
			T value = load.join();
			if (value != null) {
				values.add(value);
			}
		}
		return values;
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
