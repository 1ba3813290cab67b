package live.retwis.live;

import java.util.Set;

import live.retwis.redis.LogEntry;

/**
 * What a stream is for.
 *
 * @param kind which of the streams
 * @param userId whose home, or whose posts; empty for everyone's
 */
record Interest(Kind kind, String userId) {

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
			case POST -> this.kind == Kind.EVERYONE || authors.contains(entry.user());
			case DELETE -> true;
			default -> false;
		};
	}

	static Interest home(String userId) {
		return new Interest(Kind.HOME, userId);
	}

	static Interest everyone() {
		return new Interest(Kind.EVERYONE, "");
	}

	static Interest author(String userId) {
		return new Interest(Kind.AUTHOR, userId);
	}

}
