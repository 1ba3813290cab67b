package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

/**
 * A user in a list.
 *
 * @param username as registered
 * @param name the name to show; null when it is the username
 * @param avatar the picture
 * @param since the time that the list is sorted by, ISO 8601 UTC
 * @param sinceText the same time for people
 */
public record PersonView(String username, @Nullable String name, Avatar avatar, String since, Localized sinceText) {

	/**
	 * The view of a user.
	 * @param since ms since the epoch
	 */
	public static PersonView of(String username, String name, Avatar avatar, long since) {
		return new PersonView(username, name.equals(username) ? null : name, avatar, TimeFormat.iso(since),
				TimeFormat.text(since));
	}

}
