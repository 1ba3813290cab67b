package live.retwis.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Releases that a node did not acknowledge. Each is kept until the node answers again. It
 * is dropped when a lease has passed since it was begun, because the key is gone by
 * itself then. When there are more than the bound, the oldest are dropped, and their keys
 * stay until their leases end.
 */
final class UnacknowledgedReleases {

	static final int BOUND = 10_000;

	private final Queue<CandidateOwner> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	private final AtomicLong lost = new AtomicLong();

	private final TimeSource time;

	UnacknowledgedReleases(TimeSource time) {
		this.time = time;
	}

	/** Adds a candidate that was withdrawn. */
	void add(CandidateOwner candidate) {
		if (this.size.incrementAndGet() > BOUND) {
			poll();
			this.lost.incrementAndGet();
		}
		this.queue.add(candidate);
	}

	/**
	 * Removes all candidates and returns those whose lease is not over. It asks the
	 * monotonic clock. A wall clock that is set ahead ends a lease here, but not on the
	 * node.
	 */
	List<CandidateOwner> drain() {
		ClockReading now = this.time.now();
		List<CandidateOwner> candidates = new ArrayList<>();
		for (CandidateOwner next = poll(); next != null; next = poll()) {
			long nanos = now.nanos() - next.withdrawn().getNow(now).nanos();
			if (nanos <= TimeUnit.MILLISECONDS.toNanos(next.leaseMillis())) {
				candidates.add(next);
			}
		}
		return candidates;
	}

	private @Nullable CandidateOwner poll() {
		CandidateOwner next = this.queue.poll();
		if (next != null) {
			this.size.decrementAndGet();
		}
		return next;
	}

	int size() {
		return this.size.get();
	}

	/** How many releases were dropped because of the bound since the last call. */
	long takeLost() {
		return this.lost.getAndSet(0);
	}

}
