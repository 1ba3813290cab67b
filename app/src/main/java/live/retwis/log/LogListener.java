package live.retwis.log;

import reactor.core.publisher.Mono;

/**
 * Is told of each entry of the commit log, in order, as soon as this instance knows it.
 * Must not block.
 */
public interface LogListener {

	/** The next entry. */
	void accept(LogEntry entry);

	/**
	 * The log is read from here on, for the first time or after it was cut by a
	 * fail-over: what is known from before may be wrong.
	 */
	default void reset() {
	}

	/**
	 * Reads what has to be known of the entries before the first one that is told; asked
	 * for after {@link #reset()}.
	 * @return done when it is known; after an error it is asked for again
	 */
	default Mono<Void> prepare() {
		return Mono.empty();
	}

}
