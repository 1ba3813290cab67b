package live.retwis.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Releases that a node did not acknowledge, until it answers again or the lease is over,
 * when the key is gone by itself. More than the bound are left to their leases.
 */
final class PendingReleases {

	static final int BOUND = 10_000;

	private record Pending(Bid bid, Moment since) {
	}

	private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	private final TimeSource time;

	PendingReleases(TimeSource time) {
		this.time = time;
	}

	void add(Bid bid) {
		if (this.size.incrementAndGet() > BOUND) {
			poll();
		}
		this.queue.add(new Pending(bid, this.time.now()));
	}

	/** Takes out those whose lease is not over. */
	List<Bid> drain() {
		Moment now = this.time.now();
		List<Bid> bids = new ArrayList<>();
		for (Pending next = poll(); next != null; next = poll()) {
			if (now.since(next.since()).toMillis() <= next.bid().leaseMillis()) {
				bids.add(next.bid());
			}
		}
		return bids;
	}

	private @Nullable Pending poll() {
		Pending next = this.queue.poll();
		if (next != null) {
			this.size.decrementAndGet();
		}
		return next;
	}

}
