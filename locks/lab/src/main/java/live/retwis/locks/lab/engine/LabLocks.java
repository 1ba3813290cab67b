package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;

/**
 * Locks of whatever engine, for one client. All calls wait for their end; one thread at a
 * time.
 */
public interface LabLocks extends AutoCloseable {

	/**
	 * Tries once.
	 * @param resource what to lock
	 * @param lease for how long
	 * @return the lock
	 * @throws NotGranted when it is not had
	 */
	LockGrant tryLock(String resource, Duration lease) throws NotGranted;

	/**
	 * As whom nodes know the thread that calls, where that does not change with each
	 * acquisition.
	 */
	default List<String> names() {
		return List.of();
	}

	/**
	 * Whether the client can speak to a node now. From any thread.
	 * @param node its number, from 1
	 */
	boolean reaches(int node);

	@Override
	void close();

}
