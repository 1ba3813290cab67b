package live.retwis.follow;

/** The user already follows as many users as allowed. */
public class FollowLimitException extends RuntimeException {

	private final int limit;

	FollowLimitException(int limit) {
		super("the user follows " + limit + " users already, which is the limit");
		this.limit = limit;
	}

	int limit() {
		return this.limit;
	}

}
