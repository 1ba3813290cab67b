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
final class LabRunFairness {

	/** From the beginning of a run, or since somebody wanted to begin one. */
	private static final Duration TURN = Duration.ofMinutes(5);

	/** If more users wait, those who came first are forgotten. */
	private static final int MOST_WAITING = 1_000;

	private final LongSupplier clock;

	/** Who has begun a run in the last five minutes, with the latest one. */
	private final Map<String, Beginning> begun = new HashMap<>();

	private long runs;

	/** Who has wanted to begin one in that time and has not, and when. */
	private final Map<String, Long> waiting = new LinkedHashMap<>();

	/**
	 * Creates turns in which nobody has begun a run yet.
	 * @param clock in ns, as {@link System#nanoTime()}
	 */
	LabRunFairness(LongSupplier clock) {
		this.clock = clock;
	}

	/**
	 * The beginning of a run.
	 *
	 * @param at when it was, in ns
	 * @param number how many runs had begun by then
	 */
	private record Beginning(long at, long number) {
	}

	/**
	 * Whether this user has begun a run lately, and another one waits who has not, or
	 * whose last run was before. So there is always one among those who wait whose turn
	 * it is.
	 */
	boolean isOthersTurn(String user) {
		forget();
		Beginning own = this.begun.get(user);
		return own != null && this.waiting.keySet().stream().anyMatch((other) -> numberOf(other) < own.number());
	}

	private long numberOf(String user) {
		Beginning begun = this.begun.get(user);
		return (begun != null) ? begun.number() : 0;
	}

	/** A user begins a run. */
	void begin(String user) {
		this.begun.put(user, new Beginning(this.clock.getAsLong(), ++this.runs));
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
		this.begun.values().removeIf((run) -> now - run.at() >= TURN.toNanos());
		this.waiting.values().removeIf((since) -> now - since >= TURN.toNanos());
	}

}
