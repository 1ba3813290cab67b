package live.retwis.locks;

/**
 * Somebody else has the lock. A majority of the nodes could answer, and some said so.
 */
public final class LockTaken extends LockException {

	private static final long serialVersionUID = 1L;

	LockTaken(String resource) {
		super(resource, "The lock on " + resource + " is taken");
	}

}
