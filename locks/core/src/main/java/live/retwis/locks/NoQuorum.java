package live.retwis.locks;

import java.util.Map;

/**
 * Too few nodes voted, or they voted so late that too little of the lease was left. It is
 * not known whether anybody has the lock.
 */
public final class NoQuorum extends LockException {

	private static final long serialVersionUID = 1L;

	NoQuorum(String resource, Map<String, NodeOutcome> outcomes) {
		super(resource, "No majority of the nodes for the lock on " + resource + ": " + outcomes);
	}

	NoQuorum(String resource, String why) {
		super(resource, "No majority of the nodes for the lock on " + resource + ": " + why);
	}

}
