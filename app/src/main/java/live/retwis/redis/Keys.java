package live.retwis.redis;

/**
 * The name of every key, in one place. Braces are literal: the hash tag that keeps the
 * keys of one script in one slot of a Redis Cluster.
 */
public final class Keys {

	/** The commit log: a stream. */
	public static final String LOG = "{live}:log";

	/** The public timeline: post ids by commit time. */
	public static final String PUBLIC_TIMELINE = "{live}:public";

	/** The pub/sub channel that tells of each new entry of the log. */
	public static final String BUS = "{live}:bus";

	/** What forms made, so that sent again they make nothing more. */
	public static final String ONCE = "{live}:once:";

	/** Entries of the log that could not be done, with their error: a stream. */
	public static final String DEAD = "{live}:dead";

	/** Pieces of entries that are much work: a stream. */
	public static final String PIECES = "{live}:fanout";

	/** Unfinished pieces by the millisecond of their entry. */
	public static final String UNFINISHED = "{live}:unfinished";

	/** Authors whose posts readers pull, by the time of the last one. */
	public static final String PULLED_AUTHORS = "{live}:pulled";

	/** Users who have deleted the account, by when they were cleared away. */
	public static final String CLOSED_ACCOUNTS = "{live}:closed";

	/**
	 * Writes of several steps that are not finished: texts by when to look after them.
	 */
	public static final String INTENTS = "{live}:intents";

	/** The newest users: user ids by registration time. */
	public static final String RECENT_USERS = "users:recent";

	/** The lock nodes and the lease that all instances have. */
	public static final String LOCK_SET = "locks:set";

	/** Whose lease guards a key now: what those names begin with. */
	public static final String FENCE = "fence:{";

	/** The runs of the lab that are kept: ids by the time they began. */
	public static final String LAB_RUNS = "{lab}:runs";

	/** A run of the lab: what its name begins with, before the id. */
	public static final String LAB_RUN = "{lab}:run:";

	private Keys() {
	}

	public static String user(String userId) {
		return "user:" + userId;
	}

	public static String username(String foldedName) {
		return "username:" + foldedName;
	}

	public static String session(String tokenHash) {
		return "auth:" + tokenHash;
	}

	public static String loginTries(String subject) {
		return "limit:login:" + subject;
	}

	public static String followers(String userId) {
		return "followers:" + userId;
	}

	/** A shard of followers, in the slot of the first, which has the plain name. */
	public static String followers(String userId, int shard) {
		return (shard == 0) ? followers(userId) : "{" + followers(userId) + "}:" + shard;
	}

	/** When the shards of followers begin, and how many they are together. */
	public static String followerShards(String userId) {
		return "{" + followers(userId) + "}:shards";
	}

	public static String following(String userId) {
		return "following:" + userId;
	}

	public static String post(String postId) {
		return "post:" + postId;
	}

	public static String postsOf(String userId) {
		return "posts:" + userId;
	}

	/** Those of a user's own posts that readers pull. */
	public static String pulledOf(String userId) {
		return "pulled:" + userId;
	}

	public static String replies(String postId) {
		return "replies:" + postId;
	}

	/** In a {@link TimelineBuckets bucket}, so that one script writes several of them. */
	public static String homeTimeline(String userId) {
		return TimelineBuckets.tagOf(userId) + ":timeline:" + userId;
	}

	/** From which millisecond of commit on a home timeline is whole; in its slot. */
	public static String homeWholeFrom(String userId) {
		return TimelineBuckets.tagOf(userId) + ":from:" + userId;
	}

	/** What changed of a home timeline since somebody began to make it; in its slot. */
	public static String homeChanges(String userId) {
		return TimelineBuckets.tagOf(userId) + ":changes:" + userId;
	}

	public static String once(String userId, String once) {
		return ONCE + userId + ":" + once;
	}

	/** Whose lease guards a key now; in the slot of that key. */
	public static String fence(String key) {
		return FENCE + key + "}";
	}

}
