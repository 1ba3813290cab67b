package live.retwis.live;

import java.util.Set;

import live.retwis.redis.LogEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is for.
 *
 * @param kind which of the streams
 * @param userId whose home, or whose posts; empty for everyone's
 * @param server the instance that it is told serves it; null when it is not told
 */
record Interest(Kind kind, String userId, @Nullable String server) {

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
			case POST, PROFILE, COUNTS -> this.kind == Kind.EVERYONE || authors.contains(entry.user());
			case DELETE -> true;
			default -> false;
		};
	}

	static Interest home(String userId) {
		return new Interest(Kind.HOME, userId, null);
	}

	static Interest everyone() {
		return new Interest(Kind.EVERYONE, "", null);
	}

	static Interest author(String userId) {
		return new Interest(Kind.AUTHOR, userId, null);
	}

	/** The same, and it is told who serves it. */
	Interest servedBy(String instance) {
		return new Interest(this.kind, this.userId, instance);
	}

}
