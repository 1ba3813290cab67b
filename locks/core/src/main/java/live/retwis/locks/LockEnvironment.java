package live.retwis.locks;

import java.util.List;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Everything that the locks need from outside: both clocks, timers, random numbers, and
 * the connections to the nodes. The code above it has no threads of its own, so that a
 * simulation can run it.
 */
interface LockEnvironment extends TimeSource {

	/** Runs what is to happen later, on threads that do not serve the nodes. */
	Scheduler timers();

	/**
	 * Runs bodies, which may block. On another thread a body would hold up the answers of
	 * the nodes, the waits of all callers, or the caller. So these threads do nothing
	 * else. They are not those that a caller may be waiting on.
	 */
	Scheduler bodies();

	/** A random number between both ends, which are included. */
	long between(long from, long to);

	/** A fresh name of an owner. */
	String owner();

	/** The connections to all nodes, in the order of the settings. */
	List<? extends NodeConnection> links();

	/** How many threads serve the nodes. */
	int eventLoops();

	/** As {@link RedLock#ready()}. */
	Mono<Void> ready();

	/** Closes the connections. */
	Mono<Void> close();

}
