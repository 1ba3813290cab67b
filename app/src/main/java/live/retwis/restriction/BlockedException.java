package live.retwis.restriction;

/**
 * A user may not do this to another user, because one of the two has blocked the other.
 */
public class BlockedException extends RuntimeException {

	private final boolean byUser;

	BlockedException(boolean byUser) {
		super("one of the two users has blocked the other", null, false, false);
		this.byUser = byUser;
	}

	/** Whether the user who acts has blocked the other. Otherwise only the other has. */
	public boolean isByUser() {
		return this.byUser;
	}

}
