package live.retwis.live;

/**
 * What a stream is for.
 *
 * @param kind which of the streams
 * @param userId whose home, or whose posts; empty for everyone's
 * @param named whether it is told which instance serves it
 */
record Interest(Kind kind, String userId, boolean named) {

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
		return new Interest(Kind.HOME, userId, false);
	}

	static Interest everyone() {
		return new Interest(Kind.EVERYONE, "", false);
	}

	static Interest author(String userId) {
		return new Interest(Kind.AUTHOR, userId, false);
	}

	Interest named(boolean wanted) {
		return new Interest(this.kind, this.userId, wanted);
	}

}
