package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.Random;

import live.retwis.locks.lab.client.Call;
import live.retwis.locks.lab.client.Order;
import org.jspecify.annotations.Nullable;

/**
 * A client that wants the lock again and again: counts, keeps the lock for a while, gives
 * it back, and does without for a while. Its steps do not wait.
 */
final class Contender {

	private final Actor actor;

	private final Random random;

	/** The longest while. */
	private final Duration longest;

	/** What it began last; nothing while it waits for its next try. */
	private @Nullable Call call;

	private long next = System.nanoTime();

	Contender(Actor actor, Random random, Duration lease) {
		this.actor = actor;
		this.random = random;
		this.longest = lease.dividedBy(3);
	}

	Actor actor() {
		return this.actor;
	}

	/** Does what is due now. */
	void step() {
		boolean due = System.nanoTime() - this.next >= 0;
		Call begun = this.call;
		if (begun == null) {
			if (due) {
				this.call = this.actor.tryAcquire();
			}
		}
		else if (this.actor.client().isIdle()) {
			if (!this.actor.isHolder()) {
				pause(null);
			}
			else if (begun.isAcquired()) {
				this.actor.begin(Order.READ);
				pause(this.actor.begin(Order.WRITE));
			}
			else if (due) {
				pause(this.actor.begin(Order.RELEASE));
			}
		}
	}

	private void pause(@Nullable Call begun) {
		this.call = begun;
		this.next = System.nanoTime() + this.random.nextLong(this.longest.toNanos() / 4, this.longest.toNanos());
	}

}
