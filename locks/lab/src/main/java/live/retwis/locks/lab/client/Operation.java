package live.retwis.locks.lab.client;

import java.util.Locale;

/**
 * What a client is told to do. All but the first need a lock that it was granted before,
 * whether or not it still has it.
 */
public enum Operation {

	/** Try once for the lock. */
	ACQUIRE,

	/** Read the counter. */
	READ,

	/** Write the counter that was read, plus one. */
	WRITE,

	/** Prolong the lease. */
	EXTEND,

	/** Give the lock back. */
	RELEASE;

	/** The operation's name in a history. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
