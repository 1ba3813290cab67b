package live.retwis.locks.lab.node;

import java.util.Map;

/**
 * What is seen of a node at one moment.
 *
 * @param holding what it holds of the lock
 * @param state {@code up}, {@code paused} or {@code gone}
 * @param millisAhead by how much its wall clock is ahead of this machine's; 0 when it
 * does not answer
 */
public record NodeObservation(KeyState holding, String state, long millisAhead) {

	/**
	 * A clock that seems to be ahead by less than this is not. Asking takes that time.
	 */
	private static final long ASKING = 50;

	/** Adds the observation to the details of an entry. */
	public void putInto(Map<String, String> details, String node) {
		details.put(node, this.holding.toString());
		details.put(node + " state", this.state);
		if (Math.abs(this.millisAhead) >= ASKING) {
			details.put(node + " ahead", String.valueOf(this.millisAhead));
		}
	}

	/**
	 * Whether this observation differs from an earlier one by more than the time that has
	 * passed.
	 * @param millis how much time has passed
	 */
	public boolean isNews(NodeObservation before, long millis) {
		boolean sameOwner = this.holding.owner().equals(before.holding.owner());
		long drift = before.holding.millisLeft() - millis - this.holding.millisLeft();
		return !sameOwner || !this.state.equals(before.state) || this.holding.isHeld() && Math.abs(drift) >= ASKING
				|| Math.abs(this.millisAhead - before.millisAhead) >= ASKING;
	}

}
