package live.retwis.web;

import java.util.Locale;

/**
 * The picture of a user: a letter on a colour. Both are derived from the name.
 */
public final class Avatar {

	private static final int TONES = 12;

	private Avatar() {
	}

	/** The first character of the name, as a capital. */
	public static String initial(String username) {
		return username.substring(0, 1).toUpperCase(Locale.ROOT);
	}

	/**
	 * Number of a colour in the stylesheet, 0 to 11. A name has the same colour
	 * everywhere.
	 */
	public static int tone(String username) {
		return Math.floorMod(username.toLowerCase(Locale.ROOT).hashCode(), TONES);
	}

}
