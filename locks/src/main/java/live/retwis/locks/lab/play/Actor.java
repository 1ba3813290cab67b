package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.client.Call;
import live.retwis.locks.lab.client.LabClient;
import live.retwis.locks.lab.client.Order;
import org.jspecify.annotations.Nullable;

/**
 * A client in a round.
 */
public final class Actor {

	private static final Duration GIVING_UP = Duration.ofMillis(500);

	private final LabClient client;

	private final Round round;

	private @Nullable Call acquisition;

	Actor(LabClient client, Round round) {
		this.client = client;
		this.round = round;
	}

	/** The client, for faults that strike it or its links. */
	public LabClient client() {
		return this.client;
	}

	/** Begins to try for the lock, once. */
	public Call tryAcquire() {
		return tryAcquire(this.round.lease());
	}

	/** Begins to try for the lock, once, with another lease. */
	public Call tryAcquire(Duration lease) {
		Call call = this.client.order(Order.ACQUIRE, this.round.resource(), lease.toMillis(), this.round.history());
		this.acquisition = call;
		return call;
	}

	/**
	 * Tries for the lock, once.
	 * @return whether it got it; the round is not reproduced when there is no answer
	 */
	public boolean acquire() {
		Call call = tryAcquire();
		finish(call, "has an answer");
		return call.isAcquired();
	}

	/** Tries until it has the lock; a machine that is busy may keep it from that once. */
	public void insist() {
		this.round.await(this.client.name() + " has the lock", this::acquire);
	}

	/**
	 * Tries to get the lock from under its holder, until it has it or half of the time is
	 * over for which the holder relies on it.
	 */
	public void challenge(Actor holder) {
		Duration half = this.round.lease().dividedBy(2);
		this.round.await(this.client.name() + " has the lock, or half of the lease is over",
				() -> acquire() || holder.left().compareTo(half) < 0);
	}

	/** Whether it was granted the lock in this round and has not given it back. */
	public boolean isHolder() {
		Call call = this.acquisition;
		return call != null && call.isAcquired();
	}

	/** How much longer it may rely on having the lock. */
	public Duration left() {
		Call call = this.acquisition;
		return (call != null) ? call.left(this.round.lease()) : Duration.ZERO;
	}

	/** Reads the counter, if it was granted the lock. */
	public void read() {
		use(Order.READ);
	}

	/** Writes the counter that it read, plus one, if it was granted the lock. */
	public void write() {
		use(Order.WRITE);
	}

	/** Prolongs its lease, if it was granted the lock. */
	public void extend() {
		use(Order.EXTEND);
	}

	/** Gives the lock back, if it was granted it. */
	public void release() {
		use(Order.RELEASE);
	}

	/** Gives the lock back, if it was granted it; who cannot be heard just ends. */
	void giveUp() {
		if (isHolder()) {
			begin(Order.RELEASE).await(GIVING_UP);
		}
	}

	private void use(Order order) {
		if (isHolder()) {
			finish(begin(order), "is done with " + order.label());
		}
	}

	private void finish(Call call, String what) {
		if (!call.await(this.round.bound())) {
			this.round.require(this.client.name() + " " + what, false);
		}
	}

	/** Begins something that needs the lock; who releases no longer counts as holder. */
	public Call begin(Order order) {
		if (order == Order.RELEASE) {
			this.acquisition = null;
		}
		return this.client.order(order, this.round.resource(), this.round.lease().toMillis(), this.round.history());
	}

	/** Whether it can speak to all of these nodes now. */
	public boolean reaches(Integer... nodes) {
		return List.of(nodes).stream().allMatch(this.client::reaches);
	}

}
