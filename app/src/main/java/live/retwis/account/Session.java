package live.retwis.account;

import java.util.Optional;

import live.retwis.web.Viewer;

/**
 * A session that was just found to be valid.
 *
 * @param viewer the user who is logged in
 * @param generation auth generation under which it was made
 * @param tokenHash hash of the token, which is part of the session's key
 */
public record Session(Viewer viewer, String generation, String tokenHash) {

	/**
	 * The same session of a viewer with this many unread notifications.
	 * @param unread empty when it could not be read
	 */
	Session with(Optional<Long> unread) {
		return new Session(Viewer.of(this.viewer.id(), this.viewer.username(), unread), this.generation,
				this.tokenHash);
	}

	/** The id of the session in pages and addresses. */
	String publicId() {
		return SessionCookie.publicId(this.tokenHash);
	}

	/** The generation that follows when the sessions of this one are ended. */
	String nextGeneration() {
		return after(this.generation);
	}

	/** The generation that follows. */
	static String after(String generation) {
		return Long.toString(Long.parseLong(generation) + 1);
	}

}
