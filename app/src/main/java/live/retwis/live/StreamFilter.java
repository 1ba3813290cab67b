package live.retwis.live;

import java.util.Set;

import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is for.
 *
 * @param kind which of the streams
 * @param userId whose home, or whose posts; empty for everyone's
 * @param since ms: posts that were committed before are not wanted
 * @param server the instance that it is told serves it; null when it is not told
 */
record StreamFilter(Kind kind, String userId, long since, @Nullable String server) {

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

	static StreamFilter home(String userId) {
		return new StreamFilter(Kind.HOME, userId, 0, null);
	}

	static StreamFilter everyone() {
		return new StreamFilter(Kind.EVERYONE, "", 0, null);
	}

	static StreamFilter author(String userId) {
		return new StreamFilter(Kind.AUTHOR, userId, 0, null);
	}

	/** The same, without the posts that a page shows on an older page. */
	StreamFilter since(long millis) {
		return new StreamFilter(this.kind, this.userId, millis, this.server);
	}

	/** The same, and it is told who serves it. */
	StreamFilter servedBy(String instance) {
		return new StreamFilter(this.kind, this.userId, this.since, instance);
	}

}
