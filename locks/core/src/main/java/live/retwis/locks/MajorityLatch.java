package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts until a majority of the nodes is reached.
 */
final class MajorityLatch {

	private final AtomicInteger missing;

	private final CompletableFuture<Void> reached = new CompletableFuture<>();

	/**
	 * Starts at zero.
	 * @param nodes how many nodes are configured
	 */
	MajorityLatch(int nodes) {
		this.missing = new AtomicInteger(Tally.majority(nodes));
	}

	void add() {
		if (this.missing.decrementAndGet() == 0) {
			this.reached.complete(null);
		}
	}

	CompletableFuture<Void> reached() {
		return this.reached;
	}

}
