package live.retwis.redis;

/**
 * Is told of each entry of the commit log, in order, as soon as this instance knows it.
 * Must not block.
 */
public interface LogListener {

	/** The next entry. */
	void accept(LogEntry entry);

	/**
	 * The log was cut by a fail-over, or is another one: what was told before may not
	 * have happened.
	 */
	default void reset() {
	}

}
