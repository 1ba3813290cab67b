package live.retwis.locks;

import java.util.List;
import java.util.function.Function;

import reactor.core.publisher.Mono;

/**
 * Locks that a majority of independent Redis nodes grants. Nothing here blocks; all
 * publishers start anew with each subscription.
 */
public interface RedLock {

	/**
	 * Starts the clients of the nodes in the background and returns at once, whether or
	 * not any node can be reached.
	 * @param settings which nodes, and how to ask them
	 * @param fence where the protected store notes the owner
	 * @param listener hears what happens
	 * @return the locks, to be closed
	 */
	static RedLock open(LockSettings settings, FenceRegister fence, LockListener listener) {
		return MajorityLock.open(settings, fence, listener, TimeSource.SYSTEM);
	}

	/**
	 * Runs a body under a lock: the usual way. The body is cancelled when the lease is
	 * over. The lock is given back after the body, its error or a cancellation at any
	 * point; the result is passed on when a majority of the nodes has answered to that.
	 * @param resource what to lock, such as <code>username:{alice}</code>
	 * @param options for how long, and how long to wait
	 * @param body what to do; runs on the thread that the fence answers on, never on one
	 * that serves the nodes
	 * @return what the body returns. {@link LockTaken} or {@link NoQuorum} when the wait
	 * is over, {@link LeaseExpired} when the lease is over before the body, otherwise the
	 * error of the body or of the fence
	 */
	<T> Mono<T> withLock(String resource, LockOptions options, Function<Lease, Mono<T>> body);

	/**
	 * Tries once, whatever the options' wait time is. The lease is the caller's to
	 * release; if the caller cancels before having it, it is given back.
	 * @param resource what to lock
	 * @param options for how long
	 * @return the lease, or empty when it is taken. {@link NoQuorum}, or the error of the
	 * fence
	 */
	Mono<Lease> tryAcquire(String resource, LockOptions options);

	/**
	 * Waits until each node was reached or tried in vain, a second at most.
	 * @return done, whatever number of nodes was reached. {@link WrongNodes} when one
	 * that was reached must not vote
	 */
	Mono<Void> ready();

	/** The nodes in the order of the settings, as known now. */
	List<NodeState> nodes();

	/**
	 * Takes no more locks, waits for releases in the background, N + 1 node time-outs at
	 * most, and closes the clients. Leases that are held stay until they are over.
	 * @return done
	 */
	Mono<Void> close();

}
