package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;

/**
 * How a client comes by its locks.
 */
@FunctionalInterface
public interface LockOpener {

	/**
	 * Opens them.
	 * @param nodes the addresses as one client sees them, in order
	 * @param nodeTimeout how long the engines of this library wait for one node
	 * @param store what is protected
	 * @return the locks, to be closed
	 */
	LabLocks open(List<String> nodes, Duration nodeTimeout, ProtectedStore store);

}
