package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import reactor.core.Exceptions;

/**
 * A lock that a program without Reactor holds, for a time. It is given back by
 * {@link #close()}, and by itself when the lease is over. May be used by several threads.
 */
public final class BlockingLease implements AutoCloseable {

	private final Lease lease;

	private final CompletableFuture<Void> closed;

	private final CompletableFuture<Void> released;

	/**
	 * A lease that is held.
	 * @param closed completed to give it back
	 * @param released when it is given back; LeaseExpired when it was over before that
	 */
	BlockingLease(Lease lease, CompletableFuture<Void> closed, CompletableFuture<Void> released) {
		this.lease = lease;
		this.closed = closed;
		this.released = released;
	}

	/** What is locked. */
	public String resource() {
		return this.lease.resource();
	}

	/** 128 random bits in hexadecimal, as a fence knows them. */
	public String owner() {
		return this.lease.owner();
	}

	/** When it is over by the wall clock. */
	public Instant validUntil() {
		return this.lease.validUntil();
	}

	/** What is left of it; zero when it is over or given back. */
	public Duration remaining() {
		return this.lease.remaining();
	}

	/**
	 * Prolongs it to a whole lease from now; never shortens it.
	 * @throws InterruptedException when this thread is interrupted meanwhile; whether the
	 * lease is longer is not known then
	 * @throws LeaseExpired when it was over already, or a majority of the nodes or the
	 * fence no longer knows it, which ends it
	 * @throws NoQuorum when too few nodes answered; it stays valid as long as before
	 */
	public void extend() throws InterruptedException {
		await(this.lease.extend().toFuture());
	}

	/**
	 * Gives it back; a second time changes nothing. Waits until a majority of the nodes
	 * has answered, at most three node time-outs, and an interrupt does not shorten that.
	 * @throws LeaseExpired when it was over before it was closed, so that somebody else
	 * may have had the lock meanwhile
	 */
	@Override
	public void close() {
		this.closed.complete(null);
		try {
			this.released.join();
		}
		catch (CompletionException ex) {
			throw asThrown(ex);
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
