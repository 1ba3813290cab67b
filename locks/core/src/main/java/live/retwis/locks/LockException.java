package live.retwis.locks;

/**
 * A lock was not acquired, or did not last. It has no stack trace: it is an ordinary
 * answer, and under contention there are many of them.
 */
public abstract sealed class LockException extends RuntimeException permits LockTaken, NoQuorum, LeaseExpired {

	private static final long serialVersionUID = 1L;

	private final String resource;

	LockException(String resource, String message) {
		super(message, null, false, false);
		this.resource = resource;
	}

	/** The resource that was to be locked. */
	public String resource() {
		return this.resource;
	}

}
