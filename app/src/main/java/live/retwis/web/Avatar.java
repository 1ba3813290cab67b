package live.retwis.web;

import java.util.Locale;

/**
 * Stands for a picture: a letter on a colour, both from the name.
 */
public final class Avatar {

	private static final int TONES = 12;

	private Avatar() {
	}

	/** The first letter or digit, as a capital. */
	public static String initial(String username) {
		return username.substring(0, 1).toUpperCase(Locale.ROOT);
	}

	/** A colour of the stylesheet, 0 to 11, the same wherever the name is shown. */
	public static int tone(String username) {
		return Math.floorMod(username.toLowerCase(Locale.ROOT).hashCode(), TONES);
	}

}
