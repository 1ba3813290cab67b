package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;

/**
 * Locks of any engine, for one client. Every call waits for its end. One thread at a time
 * may call.
 */
public interface LabLocks extends AutoCloseable {

	/**
	 * Tries once.
	 * @param resource what to lock
	 * @param lease how long to lock it
	 * @return the lock
	 * @throws NotGrantedException when the lock was not granted
	 */
	LockGrant tryLock(String resource, Duration lease) throws NotGrantedException;

	/**
	 * The names by which nodes know the calling thread. Empty where the name changes with
	 * each acquisition.
	 */
	default List<String> names() {
		return List.of();
	}

	/**
	 * Whether the client can speak to a node now. May be called by any thread.
	 * @param node its number, from 1
	 */
	boolean reaches(int node);

	@Override
	void close();

}
