package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * What one acquisition asks of every node: the key for a fresh owner. Withdrawn, it is
 * asked of no further node.
 */
final class Candidate {

	private final String key;

	private final String owner;

	private final long leaseMillis;

	private final TimeSource time;

	private final AtomicReference<@Nullable Moment> firstVote = new AtomicReference<>();

	private final CompletableFuture<Moment> withdrawn = new CompletableFuture<>();

	Candidate(String resource, String owner, long leaseMillis, TimeSource time) {
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

	/** Done when it is withdrawn, with the time of that. */
	CompletableFuture<Moment> withdrawn() {
		return this.withdrawn;
	}

	/** To be called before a vote is sent: the lease counts from the first one. */
	void voteLeaves() {
		if (this.firstVote.get() == null) {
			this.firstVote.compareAndSet(null, this.time.now());
		}
	}

	/** When the first vote was sent; null before that. */
	@Nullable Moment firstVote() {
		return this.firstVote.get();
	}

}
