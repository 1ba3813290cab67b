package live.retwis.redis;

/**
 * The names of all keys. Braces are literal: they mark the hash tag, which keeps the keys
 * of one script in one slot of a Redis Cluster.
 */
public final class Keys {

	/** The commit log: a stream. */
	public static final String LOG = "{live}:log";

	/** The public timeline: post ids by commit time. */
	public static final String PUBLIC_TIMELINE = "{live}:public";

	/** The pub/sub channel that announces each new entry of the log. */
	public static final String BUS = "{live}:bus";

	/**
	 * Prefix of the answers to forms that were sent. A form that is sent again gets the
	 * same answer and writes nothing new.
	 */
	public static final String ONCE = "{live}:once:";

	/** Log entries that could not be processed, with their error: a stream. */
	public static final String DEAD_LETTERS = "{live}:dead";

	/** Tasks of log entries that were split because they are much work: a stream. */
	public static final String FAN_OUT_TASKS = "{live}:fanout";

	/** Unfinished tasks by the millisecond of their log entry. */
	public static final String UNFINISHED = "{live}:unfinished";

	/** Log entries that need a node that is away: a stream. */
	public static final String POSTPONED = "{live}:postponed";

	/** Ids of postponed entries by the millisecond of their log entry. */
	public static final String POSTPONED_BY_COMMIT = "{live}:postponed-by-commit";

	/** Authors whose posts readers pull, by the time of their last such post. */
	public static final String PULLED_AUTHORS = "{live}:pulled";

	/**
	 * Users who have deleted their account, by the time at which their data was removed.
	 */
	public static final String CLOSED_ACCOUNTS = "{live}:closed";

	/** Users who are suspended, by the time since when. */
	public static final String SUSPENDED = "{live}:suspended";

	/**
	 * Writes of several steps that are not finished: texts by the time at which somebody
	 * has to finish them.
	 */
	public static final String INTENTS = "{live}:intents";

	/** The mark that this site and its archive of old posts share. */
	public static final String ARCHIVE_SITE = "{archive}:site";

	/** Which instance moves posts to the archive now. */
	public static final String ARCHIVE_MOVER = "{archive}:mover";

	/** Deleted posts that the archive may still have: ids by the time of the deletion. */
	public static final String ARCHIVE_DELETED = "{archive}:deleted";

	/**
	 * Deleted accounts whose posts the archive still has, by the time of the deletion.
	 */
	public static final String ARCHIVE_CLOSED = "{archive}:closed";

	/** Archived posts whose counts have changed while the archive was away, by time. */
	public static final String ARCHIVE_COUNTS = "{archive}:counts";

	/**
	 * Posts whose tags and words are to be written to the archive, although they have not
	 * moved there: ids by commit.
	 */
	public static final String ARCHIVE_UNINDEXED = "{archive}:unindexed";

	/**
	 * The ms at which all posts are gone through again for the archive's tags and words;
	 * 0, or absent, before the first time.
	 */
	public static final String ARCHIVE_INDEXED = "{archive}:indexed";

	/** Tags whose older posts only the archive finds, by the time of the last note. */
	public static final String ARCHIVE_TAGS = "{archive}:tags";

	/** The lists of archived posts that are in Redis: keys by the time of a use. */
	public static final String ARCHIVE_LISTS = "{archive}:lists";

	/** Prefix of what was fetched from the archive, before the number of a slot. */
	public static final String ARCHIVED = "archived:";

	/** The newest users: user ids by registration time. */
	public static final String RECENT_USERS = "users:recent";

	/**
	 * Prefix of the words by which users are found, before the first character of the
	 * words.
	 */
	public static final String NAMES = "names:";

	/** Prefix of the tags that posts have, before the first character of the tags. */
	public static final String TAGS = "tags:";

	/** The tags with the most posts of the last day. */
	public static final String TRENDING_DAY = "{trending}:day";

	/** The posts that were counted last for their tags. */
	public static final String TRENDING_COUNTED = "{trending}:counted";

	/** Whether visitors may register: {@code open} or {@code closed}. */
	public static final String REGISTRATION = "{moderation}:registration";

	/** Up to which number users, follows and posts of a PHP Retwis are imported. */
	public static final String IMPORT_MARKS = "{import}:marks";

	/** What operators asked for, by time. */
	public static final String MODERATION_LOG = "{moderation}:log";

	/** Posts that were reported: ids by the time of the last report. */
	public static final String REPORTS = "{moderation}:reports";

	/** Prefix of the reports of one post, before its id. */
	public static final String REPORTS_OF = "{moderation}:reports:";

	/** The lock nodes and the lease time that all instances must share. */
	public static final String LOCK_SET = "locks:set";

	/** Prefix of the keys that say whose lease guards another key now. */
	public static final String FENCE = "fence:{";

	/** Lab runs that are kept: ids by start time. */
	public static final String LAB_RUNS = "{lab}:runs";

	/** Prefix of the rate limits, before the name of the rule. */
	public static final String LIMIT = "limit:";

	/** Prefix of a lab run, before its id. */
	public static final String LAB_RUN = "{lab}:run:";

	private Keys() {
	}

	public static String user(String userId) {
		return "user:" + userId;
	}

	/** The picture that a user has uploaded; in the slot of the user. */
	public static String picture(String userId) {
		return "{" + user(userId) + "}:picture";
	}

	public static String username(String foldedName) {
		return "username:" + foldedName;
	}

	public static String session(String tokenHash) {
		return "auth:" + tokenHash;
	}

	/** A user's sessions, by public id. */
	public static String sessionsOf(String userId) {
		return "sessions:" + userId;
	}

	/** How much a subject may still do under a rule. */
	public static String limit(String rule, String subject) {
		return LIMIT + rule + ":" + subject;
	}

	/** The browsers in which a user was logged in, by the hash of their cookie. */
	public static String devicesOf(String userId) {
		return "devices:" + userId;
	}

	public static String followers(String userId) {
		return "followers:" + userId;
	}

	/**
	 * One shard of a user's followers, in the same slot as the first shard. The first
	 * shard has the plain name.
	 */
	public static String followers(String userId, int shard) {
		return (shard == 0) ? followers(userId) : "{" + followers(userId) + "}:" + shard;
	}

	/**
	 * The directory of a user's follower shards: when each shard begins, and how many
	 * followers there are in all.
	 */
	public static String followerShards(String userId) {
		return "{" + followers(userId) + "}:shards";
	}

	public static String following(String userId) {
		return "following:" + userId;
	}

	/** The users whom a user has muted, by time. */
	public static String muted(String userId) {
		return "muted:" + userId;
	}

	/** The users whom a user has blocked, by time. */
	public static String blocked(String userId) {
		return "blocked:" + userId;
	}

	public static String post(String postId) {
		return "post:" + postId;
	}

	public static String postsOf(String userId) {
		return "posts:" + userId;
	}

	/** The posts of a user that readers pull. */
	public static String pulledOf(String userId) {
		return "pulled:" + userId;
	}

	/** What a form did, for X-ray. */
	public static String xrayForm(String name) {
		return "xray:" + name;
	}

	/** Which instances heard of a post and worked on it. */
	public static String way(String postId) {
		return "way:" + postId;
	}

	public static String replies(String postId) {
		return "replies:" + postId;
	}

	/**
	 * When a list of an archived post was last used, in the slot of the list.
	 * @param list its key
	 */
	public static String listInUse(String list) {
		return "in-use:{" + list + "}";
	}

	/** The users who like a post, by time. */
	public static String likes(String postId) {
		return "likes:" + postId;
	}

	/** The posts that a user likes, by time. */
	public static String liked(String userId) {
		return "liked:" + userId;
	}

	/** The users who repost a post, each with the id of the repost. */
	public static String reposts(String postId) {
		return "reposts:" + postId;
	}

	/** The posts that a user keeps. */
	public static String bookmarks(String userId) {
		return "bookmarks:" + userId;
	}

	/** The posts that have a tag. */
	public static String tag(String foldedTag) {
		return "tag:" + foldedTag;
	}

	/** The tags of an hour, by number of posts; in the slot of {@link #TRENDING_DAY}. */
	public static String trending(long hour) {
		return "{trending}:" + hour;
	}

	/** The posts of the last days that have a word. */
	public static String word(String word) {
		return "word:" + word;
	}

	/** The words of a post by which it is found. */
	public static String wordsOf(String postId) {
		return "words:" + postId;
	}

	/** The posts that mention a user, or reply to one of the user's posts. */
	public static String mentions(String userId) {
		return "mentions:" + userId;
	}

	/** What others did that a user is told of, by time. */
	public static String notifications(String userId) {
		return "notifications:" + userId;
	}

	/**
	 * The ms up to which a user has read the notifications; in the slot of the list.
	 */
	public static String notificationsRead(String userId) {
		return "{" + notifications(userId) + "}:read";
	}

	/**
	 * A home timeline. Its name begins with a {@link TimelineBuckets bucket}, so that one
	 * script can write several timelines.
	 */
	public static String homeTimeline(String userId) {
		return TimelineBuckets.tagOf(userId) + ":timeline:" + userId;
	}

	/**
	 * The millisecond of commit from which on a home timeline is complete; in the slot of
	 * the timeline.
	 */
	public static String homeCompleteFrom(String userId) {
		return TimelineBuckets.tagOf(userId) + ":from:" + userId;
	}

	/**
	 * Changes to a home timeline since an instance began to build it; in the slot of the
	 * timeline.
	 */
	public static String homeChanges(String userId) {
		return TimelineBuckets.tagOf(userId) + ":changes:" + userId;
	}

	public static String once(String userId, String once) {
		return ONCE + userId + ":" + once;
	}

	/** Says whose lease guards the key now; in the slot of that key. */
	public static String fence(String key) {
		return FENCE + key + "}";
	}

}
