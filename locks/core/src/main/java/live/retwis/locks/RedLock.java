package live.retwis.locks;

import java.util.List;
import java.util.function.Function;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Locks that a majority of independent Redis nodes grants. Nothing here blocks. Each
 * subscription to a publisher starts anew.
 */
public interface RedLock {

	/**
	 * Starts the clients of the nodes in the background. Returns at once, whether or not
	 * any node can be reached.
	 * @param settings which nodes, and how to ask them
	 * @param fence where the protected store notes the owner of a lease
	 * @param listener is told what the locks do
	 * @return the locks, which must be closed
	 */
	static RedLock open(LockSettings settings, FenceRegister fence, LockListener listener) {
		return MajorityRedLock.open(settings, fence, listener, TimeSource.SYSTEM);
	}

	/**
	 * Runs a body under a lock. This is the usual way to take one. The body is cancelled
	 * when the lease is over. The lock is given back after the body, after its error, or
	 * after a cancellation at any point. The result is passed on when a majority of the
	 * nodes has answered to the release, mostly on a thread that serves the nodes. What
	 * is chained to it must not block there, nor what is chained to any other result
	 * here.
	 * @param resource what to lock, such as <code>username:{alice}</code>
	 * @param options how long to lock it, and how long to wait for it
	 * @param body what to do; runs on a thread of its own, where it may block. Only so
	 * many bodies block at a time as {@link Schedulers#DEFAULT_BOUNDED_ELASTIC_SIZE}
	 * says, others wait for them. So a body must not block until another body has run,
	 * and must not wait for a lock in a blocking way
	 * @return what the body returns. {@link LockTaken} or {@link NoQuorum} when the wait
	 * is over. {@link LeaseExpired} when the lease is over before the body ended.
	 * IllegalStateException when the locks are closed, also while this waits. Otherwise
	 * the error of the body or of the fence
	 */
	<T> Mono<T> withLock(String resource, LockOptions options, Function<Lease, Mono<T>> body);

	/**
	 * Tries once, whatever the wait time of the options is. The caller must release the
	 * lease. If the caller cancels, the lease is given back, even after it came. Only a
	 * cancellation while the lease is handed over, such as that of {@code flux().next()},
	 * leaves it with the caller. An operator that drops a value, such as {@code zip} with
	 * an empty source, leaves the resource locked until the lease is over.
	 * @param resource what to lock
	 * @param options how long to lock it
	 * @return the lease, or empty when somebody else has the lock. {@link NoQuorum}, or
	 * the error of the fence
	 */
	Mono<Lease> tryAcquire(String resource, LockOptions options);

	/**
	 * Waits until each node was reached or tried in vain, for a second at most.
	 * @return done, whatever number of nodes was reached.
	 * {@link IneligibleNodesException} when a node was reached that must not vote
	 */
	Mono<Void> ready();

	/** The nodes as known now, in the order of the settings. */
	List<NodeState> nodes();

	/**
	 * Takes no more locks, waits for releases in the background, and closes the clients.
	 * Callers that wait for a lock fail at once with an IllegalStateException. It waits
	 * at most N + 1 node time-outs for the releases, where N is the number of nodes, and
	 * at most six seconds for the clients. Leases that are held stay until they are over.
	 * @return done
	 */
	Mono<Void> close();

}
