package live.retwis.locks.lab.engine;

import java.util.Map;
import java.util.OptionalLong;

/**
 * A lock that was had.
 */
public interface LockGrant {

	/** Another one for each grant. */
	String owner();

	/**
	 * Until when it may be relied on, by {@link System#nanoTime()}; empty when the engine
	 * does not tell.
	 */
	OptionalLong validUntil();

	/** How the store is to know that a write comes from the right owner. */
	WriteCondition guard();

	/** What each node answered, if the engine tells. */
	Map<String, String> votes();

	/**
	 * Prolongs it to a whole lease from now.
	 * @return {@code extended}, {@code expired}, {@code none} for too few nodes, or
	 * {@code unsupported}
	 */
	String extend();

	/** Gives it back, or tries to. */
	void release();

}
