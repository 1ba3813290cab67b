package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.client.SubmittedOperation;
import org.jspecify.annotations.Nullable;

/**
 * A client that takes part in a round.
 */
public final class RoundClient {

	private static final Duration GIVING_UP = Duration.ofMillis(500);

	private final ControlledClient client;

	private final RoundContext round;

	private @Nullable SubmittedOperation acquisition;

	RoundClient(ControlledClient client, RoundContext round) {
		this.client = client;
		this.round = round;
	}

	/** The client itself, for faults that strike it or its links. */
	public ControlledClient client() {
		return this.client;
	}

	/** Begins one try for the lock. */
	public SubmittedOperation tryAcquire() {
		return tryAcquire(this.round.lease());
	}

	/** Begins one try for the lock, with another lease. */
	public SubmittedOperation tryAcquire(Duration lease) {
		SubmittedOperation call = this.client.order(Operation.ACQUIRE, this.round.resource(), lease.toMillis(),
				this.round.history());
		this.acquisition = call;
		return call;
	}

	/**
	 * Tries once for the lock, and waits for the answer.
	 * @return whether it got the lock; the round is not reproduced when there is no
	 * answer
	 */
	public boolean acquire() {
		SubmittedOperation call = tryAcquire();
		finish(call, "has an answer");
		return call.isAcquired();
	}

	/** Tries until it has the lock. A busy machine may make a single try fail. */
	public void insist() {
		this.round.await(this.client.name() + " has the lock", this::acquire);
	}

	/**
	 * Tries to get the lock while another client holds it. It tries until it has the
	 * lock, or until half of the time is over for which the holder relies on it. If it
	 * gets the lock only when that time is almost over, the round shows nothing.
	 */
	public void challenge(RoundClient holder) {
		Duration half = this.round.lease().dividedBy(2);
		this.round.await(this.client.name() + " has the lock, or half of the lease is over",
				() -> acquire() || holder.left().compareTo(half) < 0);
		if (isHolder()) {
			this.round.requireTimeLeft(holder);
		}
	}

	/** Whether it was granted the lock in this round and has not given it back. */
	public boolean isHolder() {
		SubmittedOperation call = this.acquisition;
		return call != null && call.isAcquired();
	}

	/** How much longer it may rely on the lock. */
	public Duration left() {
		SubmittedOperation call = this.acquisition;
		return (call != null) ? call.left(this.round.lease()) : Duration.ZERO;
	}

	/** Reads the counter, if it was granted the lock. */
	public void read() {
		use(Operation.READ);
	}

	/** Writes the counter that it read, plus one, if it was granted the lock. */
	public void write() {
		use(Operation.WRITE);
	}

	/** Prolongs its lease, if it was granted the lock. */
	public void extend() {
		use(Operation.EXTEND);
	}

	/** Gives the lock back, if it was granted it. */
	public void release() {
		use(Operation.RELEASE);
	}

	/**
	 * Gives the lock back if it was granted it. A client that cannot be heard just ends.
	 */
	void giveUp() {
		if (isHolder()) {
			begin(Operation.RELEASE).await(GIVING_UP);
		}
	}

	private void use(Operation order) {
		if (isHolder()) {
			finish(begin(order), "is done with " + order.label());
		}
	}

	private void finish(SubmittedOperation call, String what) {
		if (!call.await(this.round.bound())) {
			this.round.require(this.client.name() + " " + what, false);
		}
	}

	/**
	 * Begins an operation that needs the lock. A client that begins to release no longer
	 * counts as holder.
	 */
	public SubmittedOperation begin(Operation order) {
		if (order == Operation.RELEASE) {
			this.acquisition = null;
		}
		return this.client.order(order, this.round.resource(), this.round.lease().toMillis(), this.round.history());
	}

	/** Whether it can speak to all of these nodes now. */
	public boolean reaches(Integer... nodes) {
		return List.of(nodes).stream().allMatch(this.client::reaches);
	}

}
