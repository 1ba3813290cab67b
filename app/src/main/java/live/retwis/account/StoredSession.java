package live.retwis.account;

import java.util.Optional;

/**
 * A session in the list of its user's sessions.
 *
 * @param id public id; the token cannot be derived from it
 * @param tokenHash hash of the token
 * @param generation auth generation under which it was made
 * @param since when it began, in ms
 * @param seen when it was last seen, in ms, to within
 * {@link SessionLastSeenRecorder#PAUSE}
 * @param userAgent its browser and system
 */
record StoredSession(String id, String tokenHash, String generation, long since, long seen, UserAgent userAgent) {

	private static final int FIELDS = 5;

	/** Reads a field of {@code sessions:{user}}. Empty when it is malformed. */
	static Optional<StoredSession> parse(String id, String stored) {
		String[] words = stored.split(" ", FIELDS);
		return (words.length < FIELDS) ? Optional.empty() : Optional.of(new StoredSession(id, words[0], words[1],
				Long.parseLong(words[2]), Long.parseLong(words[3]), UserAgent.parse(words[4])));
	}

}
