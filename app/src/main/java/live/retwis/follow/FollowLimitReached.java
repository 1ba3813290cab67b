package live.retwis.follow;

/** The user already follows as many users as allowed. */
public class FollowLimitReached extends RuntimeException {

	private final int limit;

	FollowLimitReached(int limit) {
		super("follows " + limit + " users, which is as many as one can");
		this.limit = limit;
	}

	int limit() {
		return this.limit;
	}

}
