package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import reactor.core.publisher.Mono;

/**
 * A lock that is held for a limited time. It is over when the monotonic clock or the wall
 * clock of this machine says so, whichever is first. Both are needed, because the
 * monotonic clock stands still while a machine is suspended.
 */
public interface Lease {

	/** The resource that is locked. */
	String resource();

	/** The owner: 128 random bits in hexadecimal. Each acquisition has another one. */
	String owner();

	/** When the lease is over by the wall clock. */
	Instant validUntil();

	/** What is left of the lease. Zero when it is over or is being given back. */
	Duration remaining();

	/** What each node answered, by the node's name, in the order of the settings. */
	Map<String, NodeOutcome> outcomes();

	/**
	 * Prolongs the lease to a whole lease from now. Never shortens it. Only nodes that
	 * have voted for this lease are asked whether they still know it. The fence is
	 * renewed only if it still names this owner.
	 * @return done. {@link LeaseExpired} when the lease was over already, or when a
	 * majority of the nodes or the fence no longer knows it, which ends it.
	 * {@link NoQuorum} when too few nodes answered; the lease stays valid as long as
	 * before
	 */
	Mono<Void> extend();

	/**
	 * Gives the lease back. Starts on subscription, and goes on if the subscription is
	 * cancelled. Ends when a majority of the nodes that may hold the key has answered or
	 * can no longer answer. That is at most three node time-outs later: one for a vote
	 * that is on its way, one for the release, and one for its repetition. The other
	 * nodes are released in the background.
	 * @return done, never an error
	 */
	Mono<Void> release();

}
