package live.retwis.web;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The picture of a user. Until the user has uploaded one, and while it loads, it is a
 * letter on a colour. Both are derived from the name.
 *
 * @param id user id
 * @param initial the first character of the name, as a capital
 * @param tone number of a colour in the stylesheet, 0 to 11; a name has the same colour
 * everywhere
 * @param picture address of the uploaded picture; null for none
 */
public record Avatar(String id, String initial, int tone, @Nullable String picture) {

	private static final int TONES = 12;

	/**
	 * The picture of a user.
	 * @param hash content hash of the uploaded picture; null for none
	 */
	public static Avatar of(String userId, String username, @Nullable String hash) {
		return new Avatar(userId, username.substring(0, 1).toUpperCase(Locale.ROOT),
				Math.floorMod(username.toLowerCase(Locale.ROOT).hashCode(), TONES),
				(hash != null) ? "/pictures/" + userId + "/" + hash : null);
	}

	/** The picture of a user who has not uploaded one, or of whom it is not known. */
	public static Avatar of(String userId, String username) {
		return of(userId, username, null);
	}

}
