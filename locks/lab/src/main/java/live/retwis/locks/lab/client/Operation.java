package live.retwis.locks.lab.client;

import java.util.Locale;

/**
 * What a client is told to do. All operations but the first need a lock that the client
 * was granted before, whether or not it still has it.
 */
public enum Operation {

	/** Tries for the lock once. */
	ACQUIRE,

	/** Reads the counter. */
	READ,

	/** Writes the counter that was read, plus one. */
	WRITE,

	/** Prolongs the lease. */
	EXTEND,

	/** Gives the lock back. */
	RELEASE;

	/** The name of the operation in a history. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
