package live.retwis.locks;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Locks for programs without Reactor. Each call blocks its thread until it is done. The
 * body runs on the caller's thread, with the transactions and thread locals of that
 * thread. {@link RedLock} does the same without blocking.
 * <p>
 * A call fails with {@link LockTaken}, {@link NoQuorum} or {@link LeaseExpired}, or with
 * the error of the fence. It fails with an IllegalStateException when the locks are
 * closed, also while it waits, or when the calling thread is one of Reactor's that must
 * not block.
 */
public final class BlockingRedLock implements AutoCloseable {

	private final RedLock locks;

	/**
	 * Makes these locks usable by blocking calls.
	 * @param locks opened by {@link RedLock#open}; they are closed with this object
	 */
	public BlockingRedLock(RedLock locks) {
		this.locks = locks;
	}

	/**
	 * Runs a body under a lock. The lock is given back when the body returns or throws.
	 * The lease may end while the body runs, and nothing stops the body then. So ask
	 * {@link BlockingLease#remaining()} before a write that no fence guards.
	 * <p>
	 * An interrupt while this method waits for the lock gives up the attempt. An
	 * interrupt while the body runs is for the body to notice. In both cases the lock is
	 * given back.
	 * @param <T> what the body returns
	 * @param <X> the checked exception of the body; RuntimeException when it has none
	 * @param resource what to lock, such as <code>username:{alice}</code>
	 * @param options how long to lock it, and how long to wait for it
	 * @param body what to do under the lock
	 * @return what the body returned, at most three node time-outs after it
	 * @throws X when the body throws it
	 * @throws InterruptedException when this thread is interrupted before it has the lock
	 * @throws LockTaken when somebody else has the lock until the wait is over
	 * @throws NoQuorum when too few nodes voted until the wait is over
	 * @throws LeaseExpired when the lease ended before the body did
	 */
	public <T extends @Nullable Object, X extends Exception> T withLock(String resource, LockOptions options,
			Body<T, X> body) throws X, InterruptedException {
		try (BlockingLease lease = acquire(resource, options)) {
			return body.run(lease);
		}
	}

	/**
	 * Tries once, whatever the wait time of the options is. An interrupt gives up the
	 * attempt.
	 * @param resource what to lock
	 * @param options how long to lock it
	 * @return the lease, which the caller closes; empty when somebody else has the lock
	 * @throws InterruptedException when this thread is interrupted before it has the lock
	 * @throws NoQuorum when too few nodes voted
	 */
	public Optional<BlockingLease> tryAcquire(String resource, LockOptions options) throws InterruptedException {
		try {
			return Optional.of(acquire(resource,
					new LockOptions(options.lease(), Duration.ZERO, options.driftFactor(), options.minimumValidity())));
		}
		catch (LockTaken taken) {
			if (taken.resource().equals(resource)) {
				return Optional.empty();
			}
			throw taken;
		}
	}

	/** The body does not block, so it needs no thread of its own. */
	private Mono<Void> hold(String resource, LockOptions options, Function<Lease, Mono<Void>> body) {
		return (this.locks instanceof MajorityRedLock majority)
				? majority.withLock(resource, options, body, Schedulers.immediate())
				: this.locks.withLock(resource, options, body);
	}

	/** Takes the lock with a reactive body that ends when the lease is closed. */
	private BlockingLease acquire(String resource, LockOptions options) throws InterruptedException {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("A thread of Reactor must not wait for a lock: use RedLock there");
		}
		CompletableFuture<Lease> granted = new CompletableFuture<>();
		CompletableFuture<Void> closed = new CompletableFuture<>();
		CompletableFuture<Void> released = hold(resource, options, (lease) -> {
			granted.complete(lease);
			return Mono.fromFuture(closed, true);
		}).toFuture();
		released.exceptionally((refusal) -> {
			granted.completeExceptionally(refusal);
			return null;
		});
		try {
			return new BlockingLease(BlockingLease.await(granted), closed, released);
		}
		catch (InterruptedException ex) {
			released.cancel(true);
			throw ex;
		}
	}

	/**
	 * Takes no more locks and closes the clients, as {@link RedLock#close()} does, and
	 * for at most as long.
	 */
	@Override
	public void close() {
		this.locks.close().toFuture().join();
	}

	/**
	 * The work that is done under a lock.
	 *
	 * @param <T> what it returns
	 * @param <X> the checked exception that it throws
	 */
	@FunctionalInterface
	public interface Body<T extends @Nullable Object, X extends Exception> {

		/**
		 * Does the work.
		 * @param lease the lease of the lock; its owner is the one that the fence knows
		 * @return the result
		 * @throws X when the work fails
		 */
		T run(BlockingLease lease) throws X;

	}

}
