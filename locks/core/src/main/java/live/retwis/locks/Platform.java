package live.retwis.locks;

import java.util.List;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * All that the locks need from outside: both clocks, timers, chance, and the ways to the
 * nodes. What stands on it is without threads of its own, so that a simulation can play
 * it.
 */
interface Platform extends TimeSource {

	/** For what is to happen later, and off the threads that serve the nodes. */
	Scheduler timers();

	/** A random number, both ends included. */
	long between(long from, long to);

	/** A fresh name of an owner. */
	String owner();

	/** To all nodes, in the order of the settings. */
	List<? extends NodeConnection> links();

	/** How many threads serve the nodes. */
	int eventLoops();

	/** Whether this thread serves the nodes. */
	boolean inEventLoop();

	/** As {@link RedLock#ready()}. */
	Mono<Void> ready();

	/** Closes the links. */
	Mono<Void> close();

}
