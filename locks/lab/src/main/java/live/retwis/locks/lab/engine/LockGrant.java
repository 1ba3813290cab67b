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
	OptionalLong validUntil();

	/** How the store knows that a write comes from the right owner. */
	WriteCondition guard();

	/** What each node answered. Empty when the engine does not tell. */
	Map<String, String> votes();

	/**
	 * Prolongs the lock to a whole lease from now.
	 * @return {@code extended}, {@code expired}, {@code none} for too few nodes, or
	 * {@code unsupported}
	 */
	String extend();

	/** Gives the lock back, or tries to. */
	void release();

}
