package live.retwis.redis;

import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caches in the memory of this process, for what most pages read. The thread that reads
 * from such a cache also keeps it in order. To wake another thread for that, as Caffeine
 * does by default, costs a page more.
 */
public final class LocalCaches {

	private LocalCaches() {
	}

	/** Begins to build such a cache, which still needs a bound. */
	public static Caffeine<Object, Object> builder() {
		return Caffeine.newBuilder().executor(Runnable::run);
	}

}
