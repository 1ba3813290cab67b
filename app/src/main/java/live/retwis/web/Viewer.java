package live.retwis.web;

import java.util.Optional;

/**
 * The signed-in user who looks at a page.
 *
 * @param id user id
 * @param username as registered
 * @param unread how many notifications the user has not read, as the badge shows it;
 * empty for none, and while the number is unknown
 * @param unreadKnown false when the number could not be read for this page
 */
public record Viewer(String id, String username, String unread, boolean unreadKnown) {

	/** The largest number that a badge shows. */
	private static final int MOST_SHOWN = 99;

	/** A viewer who has read all notifications. */
	public Viewer(String id, String username) {
		this(id, username, "", true);
	}

	/**
	 * A viewer with this many unread notifications.
	 * @param unread empty when it could not be read
	 */
	public static Viewer of(String id, String username, Optional<Long> unread) {
		return new Viewer(id, username, unread.map(Viewer::shown).orElse(""), unread.isPresent());
	}

	private static String shown(long unread) {
		return (unread == 0) ? "" : (unread > MOST_SHOWN) ? MOST_SHOWN + "+" : Long.toString(unread);
	}

	/** The same viewer after reading all notifications. */
	public Viewer withoutUnread() {
		return new Viewer(this.id, this.username);
	}

}
