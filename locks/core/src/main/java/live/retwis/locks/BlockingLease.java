package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import reactor.core.Exceptions;

/**
 * A lock that a program without Reactor holds for a limited time. {@link #close()} gives
 * it back. It also ends by itself when the lease is over. Several threads may use it.
 */
public final class BlockingLease implements AutoCloseable {

	private final Lease lease;

	private final CompletableFuture<Void> closed;

	private final CompletableFuture<Void> released;

	/**
	 * Wraps a lease that is held.
	 * @param closed completed to give the lease back
	 * @param released done when the lease is given back; LeaseExpired when it was over
	 * before that
	 */
	BlockingLease(Lease lease, CompletableFuture<Void> closed, CompletableFuture<Void> released) {
		this.lease = lease;
		this.closed = closed;
		this.released = released;
	}

	/** The resource that is locked. */
	public String resource() {
		return this.lease.resource();
	}

	/** The owner that the fence knows: 128 random bits in hexadecimal. */
	public String owner() {
		return this.lease.owner();
	}

	/** When the lease is over by the wall clock. */
	public Instant validUntil() {
		return this.lease.validUntil();
	}

	/** What is left of the lease. Zero when it is over or given back. */
	public Duration remaining() {
		return this.lease.remaining();
	}

	/**
	 * Prolongs the lease to a whole lease from now. Never shortens it.
	 * @throws InterruptedException when this thread is interrupted meanwhile; it is not
	 * known then whether the lease was prolonged
	 * @throws LeaseExpired when the lease was over already, or when a majority of the
	 * nodes or the fence no longer knows it, which ends it
	 * @throws NoQuorum when too few nodes answered; the lease stays valid as long as
	 * before
	 */
	public void extend() throws InterruptedException {
		await(this.lease.extend().toFuture());
	}

	/**
	 * Gives the lease back. A second call changes nothing. Waits until a majority of the
	 * nodes has answered, at most three node time-outs. An interrupt does not shorten
	 * this wait.
	 * @throws LeaseExpired when the lease was over before it was closed; somebody else
	 * may have had the lock meanwhile
	 */
	@Override
	public void close() {
		this.closed.complete(null);
		try {
			this.released.join();
		}
		catch (CompletionException ex) {
			// Another object for each call: an exception cannot suppress itself.
			throw (ex.getCause() instanceof LeaseExpired) ? new LeaseExpired(resource()) : asThrown(ex);
		}
	}

	/** The result, or the error as it was thrown. */
	static <T> T await(CompletableFuture<T> result) throws InterruptedException {
		try {
			return result.get();
		}
		catch (ExecutionException ex) {
			throw asThrown(ex);
		}
	}

	private static RuntimeException asThrown(Exception wrapper) {
		return Exceptions.propagate(Objects.requireNonNull(wrapper.getCause()));
	}

}
