package live.retwis.locks.lab.engine;

/**
 * The lock was not had.
 */
public final class NotGranted extends Exception {

	private static final long serialVersionUID = 1L;

	private final String outcome;

	/**
	 * With the reason.
	 * @param outcome {@code taken} or {@code none}
	 * @param message what the engine said
	 */
	NotGranted(String outcome, String message) {
		super(message);
		this.outcome = outcome;
	}

	/** {@code taken}: somebody has it. {@code none}: too few nodes answered. */
	public String outcome() {
		return this.outcome;
	}

}
