package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;

import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.client.SubmittedOperation;
import org.jspecify.annotations.Nullable;

/**
 * A client that wants the lock again and again. It counts, keeps the lock for a while,
 * gives it back, and does without it for a while. Its steps do not wait.
 */
final class Contender implements FreePlayClient {

	private final RoundClient roundClient;

	private final Random random;

	/** The longest time of one such while. */
	private final Duration longest;

	/** The operation that it began last; null while it waits for its next try. */
	private @Nullable SubmittedOperation call;

	private long next = System.nanoTime();

	Contender(RoundClient roundClient, Random random, Duration lease) {
		this.roundClient = roundClient;
		this.random = random;
		this.longest = lease.dividedBy(3);
	}

	@Override
	public RoundClient actor() {
		return this.roundClient;
	}

	@Override
	public void step() {
		boolean due = System.nanoTime() - this.next >= 0;
		SubmittedOperation begun = this.call;
		if (begun == null) {
			if (due) {
				this.call = this.roundClient.tryAcquire();
			}
		}
		else if (this.roundClient.client().isIdle()) {
			if (!this.roundClient.isHolder()) {
				pause(null);
			}
			else if (begun.isAcquired()) {
				this.roundClient.begin(Operation.READ);
				pause(this.roundClient.begin(Operation.WRITE));
			}
			else if (due) {
				pause(this.roundClient.begin(Operation.RELEASE));
			}
		}
	}

	@Override
	public Optional<Refusal> order(ClientAction.Kind what) {
		return Optional.of(Refusal.BY_ITSELF);
	}

	private void pause(@Nullable SubmittedOperation begun) {
		this.call = begun;
		this.next = System.nanoTime() + this.random.nextLong(this.longest.toNanos() / 4, this.longest.toNanos());
	}

}
