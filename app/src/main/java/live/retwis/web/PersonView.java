package live.retwis.web;

import live.retwis.i18n.Localized;

/**
 * A user in a list.
 *
 * @param username as registered
 * @param initial letter of the picture
 * @param tone colour of the picture, 0 to 11
 * @param since the time that the list is sorted by, ISO 8601 UTC
 * @param sinceText the same time for people
 */
public record PersonView(String username, String initial, int tone, String since, Localized sinceText) {

	/**
	 * The view of a user.
	 * @param since ms since the epoch
	 */
	public static PersonView of(String username, long since) {
		return new PersonView(username, Avatar.initial(username), Avatar.tone(username), TimeFormat.iso(since),
				TimeFormat.text(since));
	}

}
