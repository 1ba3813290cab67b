package live.retwis.web;

import java.util.regex.Pattern;

/**
 * The address to come back to after a form. Only addresses inside the site are taken, or
 * a link to the log-in page could lead anywhere.
 */
public final class ReturnAddress {

	private static final Pattern INSIDE = Pattern
		.compile("/(?!/)(?:[A-Za-z0-9/@_.~?&=+:,;!$'()*-]|%[0-9A-Fa-f]{2}){0,500}");

	private ReturnAddress() {
	}

	/** The address itself when it is inside the site, else the other one. */
	public static String or(String text, String otherwise) {
		return isInside(text) ? text : otherwise;
	}

	static boolean isInside(String text) {
		return INSIDE.matcher(text).matches();
	}

}
