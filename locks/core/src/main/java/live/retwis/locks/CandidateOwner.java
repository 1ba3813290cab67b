package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * One fresh owner that asks every node for the key of one resource. When the candidate is
 * withdrawn, no further node is asked.
 */
final class CandidateOwner {

	private final String key;

	private final String owner;

	private final long leaseMillis;

	private final TimeSource time;

	private final AtomicReference<@Nullable ClockReading> firstVote = new AtomicReference<>();

	private final CompletableFuture<ClockReading> withdrawn = new CompletableFuture<>();

	CandidateOwner(String resource, String owner, long leaseMillis, TimeSource time) {
		this.key = "lock:" + resource;
		this.owner = owner;
		this.leaseMillis = leaseMillis;
		this.time = time;
	}

	String key() {
		return this.key;
	}

	String owner() {
		return this.owner;
	}

	long leaseMillis() {
		return this.leaseMillis;
	}

	void withdraw() {
		this.withdrawn.complete(this.time.now());
	}

	boolean isWithdrawn() {
		return this.withdrawn.isDone();
	}

	/** Done when the candidate is withdrawn, with the time of the withdrawal. */
	CompletableFuture<ClockReading> withdrawn() {
		return this.withdrawn;
	}

	/**
	 * Must be called before each request for a vote is sent. The lease counts from the
	 * first one.
	 */
	void voteLeaves() {
		if (this.firstVote.get() == null) {
			this.firstVote.compareAndSet(null, this.time.now());
		}
	}

	/** When the first request for a vote was sent; null before that. */
	@Nullable ClockReading firstVote() {
		return this.firstVote.get();
	}

}
