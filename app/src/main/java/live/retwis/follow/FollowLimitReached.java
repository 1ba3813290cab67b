package live.retwis.follow;

/** The user already follows as many users as allowed. */
public class FollowLimitReached extends RuntimeException {

	private final int limit;

	FollowLimitReached(int limit) {
		super("the user follows " + limit + " users already, which is the limit");
		this.limit = limit;
	}

	int limit() {
		return this.limit;
	}

}
