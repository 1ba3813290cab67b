package live.retwis.locks.lab.engine;

/**
 * The lock was not granted.
 */
public final class NotGrantedException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String outcome;

	/**
	 * A refusal with its reason.
	 * @param outcome {@code taken} or {@code none}
	 * @param message what the engine said
	 */
	NotGrantedException(String outcome, String message) {
		super(message);
		this.outcome = outcome;
	}

	/**
	 * {@code taken} when somebody has the lock, {@code none} when too few nodes answered.
	 */
	public String outcome() {
		return this.outcome;
	}

}
