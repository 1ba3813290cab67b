package live.retwis.locks;

/**
 * A lock that was not had or did not last. Without a stack trace: these are answers, and
 * under contention there are many.
 */
public abstract sealed class LockException extends RuntimeException permits LockTaken, NoQuorum, LeaseExpired {

	private static final long serialVersionUID = 1L;

	private final String resource;

	LockException(String resource, String message) {
		super(message, null, false, false);
		this.resource = resource;
	}

	/** What was to be locked. */
	public String resource() {
		return this.resource;
	}

}
