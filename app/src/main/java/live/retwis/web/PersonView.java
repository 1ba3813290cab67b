package live.retwis.web;

import live.retwis.i18n.Localized;

/**
 * A user in a list.
 *
 * @param username as registered
 * @param initial letter shown for a picture
 * @param tone colour behind it, 0 to 11
 * @param since what the list is sorted by, ISO 8601 UTC
 * @param sinceText the same for people
 */
public record PersonView(String username, String initial, int tone, String since, Localized sinceText) {

	/** A user and a moment in ms since the epoch. */
	public static PersonView of(String username, long since) {
		return new PersonView(username, Avatar.initial(username), Avatar.tone(username), TimeFormat.iso(since),
				TimeFormat.text(since));
	}

}
