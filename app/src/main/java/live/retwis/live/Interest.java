package live.retwis.live;

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
