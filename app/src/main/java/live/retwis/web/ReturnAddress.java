package live.retwis.web;

import java.util.regex.Pattern;

/**
 * The address that a visitor comes back to after a form. Only addresses inside the site
 * are accepted. Otherwise a link to the log-in page could lead to any other site.
 */
public final class ReturnAddress {

	private static final Pattern INSIDE = Pattern
		.compile("/(?!/)(?:[A-Za-z0-9/@_.~?&=+:,;!$'()*-]|%[0-9A-Fa-f]{2}){0,500}(?:#[A-Za-z0-9-]{0,100})?");

	private ReturnAddress() {
	}

	/**
	 * Returns the text if it is an address inside the site, and the other address if not.
	 */
	public static String or(String text, String otherwise) {
		return isInside(text) ? text : otherwise;
	}

	static boolean isInside(String text) {
		return INSIDE.matcher(text).matches();
	}

}
