package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The keys that are being given back to one node. A release is over for its caller when a
 * majority of the nodes has answered. The next one that wants the name must not reach a
 * slower node before that release does. Otherwise the node would refuse a name that
 * nobody has.
 */
final class InFlightReleases {

	private static final CompletableFuture<?> FREE = CompletableFuture.completedFuture(null);

	private final ConcurrentMap<String, CompletableFuture<?>> releases = new ConcurrentHashMap<>();

	/**
	 * Adds a release.
	 * @param key the key that is given back
	 * @param release ends, never with an error, when the node has answered or will not
	 * answer
	 */
	void add(String key, CompletableFuture<?> release) {
		CompletableFuture<?> last = this.releases.merge(key, release, CompletableFuture::allOf);
		last.thenRun(() -> this.releases.remove(key, last));
	}

	/** Done when all releases of the key that were added before are over. */
	CompletableFuture<?> released(String key) {
		return this.releases.getOrDefault(key, FREE);
	}

	int size() {
		return this.releases.size();
	}

}
