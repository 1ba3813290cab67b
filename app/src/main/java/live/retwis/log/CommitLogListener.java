package live.retwis.log;

import reactor.core.publisher.Mono;

/**
 * Receives each entry of the commit log, in order, as soon as this instance knows it.
 * Must not block.
 */
public interface CommitLogListener {

	/** Receives the next entry. */
	void accept(LogEntry entry);

	/**
	 * Says that reading starts anew here: for the first time, or because a fail-over has
	 * cut the log. What the listener has learned before may be wrong.
	 */
	default void reset() {
	}

	/**
	 * Reads what the listener must know of the entries before the first one that it will
	 * receive. Called after {@link #reset()}.
	 * @return done when the listener knows it; after an error it is called again
	 */
	default Mono<Void> prepare() {
		return Mono.empty();
	}

}
