package live.retwis.locks.lab.engine;

import java.util.Map;
import java.util.OptionalLong;

/**
 * A lock that was granted.
 */
public interface LockGrant {

	/** The owner. Each grant has another one. */
	String owner();

	/**
	 * Until when the lock may be relied on, by {@link System#nanoTime()}. Empty when the
	 * engine does not tell.
	 */
	default OptionalLong validUntil() {
		return OptionalLong.empty();
	}

	/** How the store knows that a write comes from the right owner. */
	WriteCondition guard();

	/** What each node answered. Empty when the engine does not tell. */
	default Map<String, String> votes() {
		return Map.of();
	}

	/**
	 * Prolongs the lock to a whole lease from now.
	 * @return {@code extended}, {@code expired}, {@code none} for too few nodes, or
	 * {@code unsupported}
	 */
	default String extend() {
		return "unsupported";
	}

	/** Gives the lock back, or tries to. */
	void release();

}
