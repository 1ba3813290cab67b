package live.retwis.live;

import java.util.Set;

import live.retwis.redis.LogEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is for.
 *
 * @param kind which of the streams
 * @param userId whose home, or whose posts; empty for everyone's
 * @param since ms: posts that were committed before are not wanted
 * @param server the instance that it is told serves it; null when it is not told
 */
record Interest(Kind kind, String userId, long since, @Nullable String server) {

	/** The streams. */
	enum Kind {

		/** A user's own posts and those of everyone followed. */
		HOME,
		/** Every new post. */
		EVERYONE,
		/** One user's new posts. */
		AUTHOR

	}

	/**
	 * Whether an entry is part of such a stream.
	 * @param authors whose posts are, where not everyone's
	 */
	boolean wants(Set<String> authors, LogEntry entry) {
		return switch (entry.type()) {
			case POST -> entry.position().millis() >= this.since && isBy(authors, entry);
			case PROFILE, COUNTS -> isBy(authors, entry);
			case DELETE, CLOSED -> true;
			default -> false;
		};
	}

	private boolean isBy(Set<String> authors, LogEntry entry) {
		return this.kind == Kind.EVERYONE || authors.contains(entry.user());
	}

	static Interest home(String userId) {
		return new Interest(Kind.HOME, userId, 0, null);
	}

	static Interest everyone() {
		return new Interest(Kind.EVERYONE, "", 0, null);
	}

	static Interest author(String userId) {
		return new Interest(Kind.AUTHOR, userId, 0, null);
	}

	/** The same, without the posts that a page shows on an older page. */
	Interest since(long millis) {
		return new Interest(this.kind, this.userId, millis, this.server);
	}

	/** The same, and it is told who serves it. */
	Interest servedBy(String instance) {
		return new Interest(this.kind, this.userId, this.since, instance);
	}

}
