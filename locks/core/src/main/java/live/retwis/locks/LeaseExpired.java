package live.retwis.locks;

/**
 * The lease was over before the work under it was done, or a majority of the nodes no
 * longer knows it. It is not known whether the last write took effect, so read again.
 */
public final class LeaseExpired extends LockException {

	private static final long serialVersionUID = 1L;

	LeaseExpired(String resource) {
		super(resource, "The lease on " + resource + " is over");
	}

}
