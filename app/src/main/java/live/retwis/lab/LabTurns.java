package live.retwis.lab;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Whose turn the lab is. While others wait, a user who has begun a run begins the next
 * one after five minutes. Not safe for use by several threads.
 */
final class LabTurns {

	/** From the beginning of a run, or since somebody wanted to begin one. */
	private static final Duration TURN = Duration.ofMinutes(5);

	/** Of more users who wait, the first ones are forgotten. */
	private static final int MOST_WAITING = 1_000;

	private final LongSupplier clock;

	/** Who has begun a run in the last five minutes, and when. */
	private final Map<String, Long> begun = new HashMap<>();

	/** Who has wanted to begin one in that time and has not, and when. */
	private final Map<String, Long> waiting = new LinkedHashMap<>();

	/**
	 * Creates turns in which nobody has begun a run yet.
	 * @param clock in ns, as {@link System#nanoTime()}
	 */
	LabTurns(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * Whether this user has begun a run lately, and another one is waiting for a turn.
	 */
	boolean isOthersTurn(String user) {
		forget();
		return this.begun.containsKey(user)
				&& this.waiting.keySet().stream().anyMatch((waiting) -> !waiting.equals(user));
	}

	/** A user begins a run. */
	void begin(String user) {
		this.begun.put(user, this.clock.getAsLong());
		this.waiting.remove(user);
	}

	/** A user wanted to begin a run and could not. */
	void refuse(String user) {
		forget();
		this.waiting.put(user, this.clock.getAsLong());
		if (this.waiting.size() > MOST_WAITING) {
			this.waiting.remove(this.waiting.keySet().iterator().next());
		}
	}

	private void forget() {
		long now = this.clock.getAsLong();
		this.begun.values().removeIf((since) -> now - since >= TURN.toNanos());
		this.waiting.values().removeIf((since) -> now - since >= TURN.toNanos());
	}

}
