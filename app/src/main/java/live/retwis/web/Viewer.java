package live.retwis.web;

/**
 * The signed-in user who looks at a page.
 *
 * @param id user id
 * @param username as registered
 * @param unread how many notifications the user has not read, as the badge shows it;
 * empty for none
 */
public record Viewer(String id, String username, String unread) {

	/** The largest number that a badge shows. */
	private static final int MOST_SHOWN = 99;

	/** A viewer who has read all notifications. */
	public Viewer(String id, String username) {
		this(id, username, "");
	}

	/** A viewer with this many unread notifications. */
	public static Viewer of(String id, String username, long unread) {
		return new Viewer(id, username,
				(unread == 0) ? "" : (unread > MOST_SHOWN) ? MOST_SHOWN + "+" : Long.toString(unread));
	}

	/** The same viewer after reading all notifications. */
	public Viewer withoutUnread() {
		return new Viewer(this.id, this.username);
	}

}
