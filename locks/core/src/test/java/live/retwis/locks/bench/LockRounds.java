package live.retwis.locks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of measurement. If a lock failed, the round does not count, because the machine
 * stood still for longer than the node time-out. Such a round is reported and measured
 * again, a few times at most.
 */
final class LockRounds {

	private static final int MOST_REPEATED = 5;

	private final List<String> repeated = new ArrayList<>();

	/**
	 * Measures one round.
	 * @throws IllegalStateException when too many rounds had to be repeated
	 */
	LockFigures measure(LockLoad load, LockContestant contestant, Duration time) throws InterruptedException {
		while (true) {
			try {
				return load.run(contestant, time);
			}
			catch (IllegalStateException ex) {
				this.repeated.add(contestant.name() + " with " + load + " (" + ex.getCause() + ")");
				if (this.repeated.size() > MOST_REPEATED) {
					throw ex;
				}
				contestant.recover();
			}
		}
	}

	/** Forgets the repeated rounds so far, because they were not for the report. */
	void forget() {
		this.repeated.clear();
	}

	List<String> repeated() {
		return List.copyOf(this.repeated);
	}

}
