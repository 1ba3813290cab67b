package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keys that are being given back to one node. A release is over when a majority has
 * answered, and whoever wants the name next must not reach one of the others before that
 * release: the node would refuse a name that nobody has.
 */
final class ReleaseOrder {

	private static final CompletableFuture<?> FREE = CompletableFuture.completedFuture(null);

	private final ConcurrentMap<String, CompletableFuture<?>> releases = new ConcurrentHashMap<>();

	/**
	 * Notes a release.
	 * @param key what is given back
	 * @param release ends, never with an error, when the node has answered or will not
	 */
	void add(String key, CompletableFuture<?> release) {
		CompletableFuture<?> last = this.releases.merge(key, release, CompletableFuture::allOf);
		last.thenRun(() -> this.releases.remove(key, last));
	}

	/** Done when all releases of that key are over that were noted before. */
	CompletableFuture<?> released(String key) {
		return this.releases.getOrDefault(key, FREE);
	}

	int size() {
		return this.releases.size();
	}

}
