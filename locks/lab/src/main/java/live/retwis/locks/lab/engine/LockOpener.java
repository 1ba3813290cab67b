package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;

/**
 * Opens the locks of a client.
 */
@FunctionalInterface
public interface LockOpener {

	/**
	 * Opens the locks.
	 * @param nodes the addresses as one client sees them, in order
	 * @param nodeTimeout how long the engines of this library wait for one node
	 * @param store what the locks protect
	 * @return the locks, to be closed
	 */
	LabLocks open(List<String> nodes, Duration nodeTimeout, ProtectedStore store);

}
