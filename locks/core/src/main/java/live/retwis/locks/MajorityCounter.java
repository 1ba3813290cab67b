package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts up to a majority.
 */
final class MajorityCounter {

	private final AtomicInteger missing;

	private final CompletableFuture<Void> reached = new CompletableFuture<>();

	/**
	 * None is counted yet.
	 * @param nodes all that are configured
	 */
	MajorityCounter(int nodes) {
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
