package live.retwis.lab;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Whose turn the lab is. While others wait, a user who has begun a run begins the next
 * one after five minutes. Not safe for use by several threads.
 */
final class LabTurns {

	/** From the beginning of a run. */
	private static final Duration TURN = Duration.ofMinutes(5);

	private final LongSupplier clock;

	/** Who has begun the latest run. */
	private @Nullable String latest;

	/** When that was. */
	private long began;

	/** Whether another user wanted to begin a run since. */
	private boolean othersWait;

	/**
	 * Creates turns in which nobody has begun a run yet.
	 * @param clock in ns, as {@link System#nanoTime()}
	 */
	LabTurns(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Whether this user has begun the latest run, and another one is waiting for a turn.
	 */
	boolean isOthersTurn(String user) {
		return this.othersWait && user.equals(this.latest) && this.clock.getAsLong() - this.began < TURN.toNanos();
	}

	/** A user begins a run. */
	void begin(String user) {
		this.latest = user;
		this.began = this.clock.getAsLong();
		this.othersWait = false;
	}

	/** A user wanted to begin a run and could not. */
	void refuse(String user) {
		this.othersWait |= !user.equals(this.latest);
	}

}
