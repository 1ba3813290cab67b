package live.retwis.locks.lab.play;

import java.util.Optional;

import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.client.SubmittedOperation;
import org.jspecify.annotations.Nullable;

/**
 * A client that does nothing by itself. It reads the counter as soon as it has the lock.
 * A later write adds to that value, however long ago it was read.
 */
final class ObedientClient implements FreePlayClient {

	private final RoundClient roundClient;

	/**
	 * The latest acquisition, until the client has read the counter after it; else null.
	 */
	private @Nullable SubmittedOperation unread;

	/** What it was told last; null before. */
	private @Nullable SubmittedOperation told;

	ObedientClient(RoundClient roundClient) {
		this.roundClient = roundClient;
	}

	@Override
	public RoundClient actor() {
		return this.roundClient;
	}

	@Override
	public void step() {
		if (this.unread != null && this.unread.isDone()) {
			if (this.unread.isAcquired()) {
				this.roundClient.begin(Operation.READ);
			}
			this.unread = null;
		}
	}

	/** A paused client keeps one order, and carries it out when it goes on. */
	@Override
	public Optional<Refusal> order(ClientAction.Kind what) {
		boolean acquires = what == ClientAction.Kind.ACQUIRE;
		if (this.told != null && !this.told.isDone()) {
			return Optional.of(Refusal.BUSY);
		}
		if (acquires && !this.roundClient.left().isZero()) {
			return Optional.of(Refusal.HAS_LOCK);
		}
		if (!acquires && !this.roundClient.isHolder()) {
			return Optional.of(Refusal.NO_LOCK);
		}
		step();
		this.told = switch (what) {
			case ACQUIRE -> this.roundClient.tryAcquire();
			case RELEASE -> this.roundClient.begin(Operation.RELEASE);
			case WRITE -> this.roundClient.begin(Operation.WRITE);
			default -> throw new IllegalArgumentException(what + " is no order");
		};
		if (acquires) {
			this.unread = this.told;
		}
		else if (what == ClientAction.Kind.WRITE) {
			this.roundClient.begin(Operation.READ);
		}
		return Optional.empty();
	}

}
