package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import reactor.core.publisher.Mono;

/**
 * A lock that is held, for a time. It is over when the monotonic clock or the wall clock
 * of this machine says so, whichever is first: the monotonic one stands still while a
 * machine is suspended.
 */
public interface Lease {

	/** What is locked. */
	String resource();

	/** 128 random bits in hexadecimal; another one for each acquisition. */
	String owner();

	/** When it is over by the wall clock. */
	Instant validUntil();

	/** What is left of it; zero when it is over or is being given back. */
	Duration remaining();

	/** What each node answered, by its name, in the order of the settings. */
	Map<String, NodeOutcome> outcomes();

	/**
	 * Prolongs it to a whole lease from now; never shortens it. Only nodes that have
	 * voted for it are asked whether they still know it, and the fence is renewed only if
	 * it still names this owner.
	 * @return done. {@link LeaseExpired} when it was over already, or a majority of the
	 * nodes or the fence no longer knows it, which ends it; {@link NoQuorum} when too few
	 * answered, then it stays valid as long as before
	 */
	Mono<Void> extend();

	/**
	 * Gives it back. Starts when subscribed to and goes on if that is cancelled. Ends
	 * when a majority of the nodes that may hold the key has answered, or no longer can,
	 * at most three node time-outs later: a vote that is on its way, the release, and the
	 * release again. The others are released in the background.
	 * @return done, never an error
	 */
	Mono<Void> release();

}
