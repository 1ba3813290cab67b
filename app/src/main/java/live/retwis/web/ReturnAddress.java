package live.retwis.web;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The address that a visitor comes back to after a form. Only addresses inside the site
 * are accepted. Otherwise a link to the log-in page could lead to any other site.
 */
public final class ReturnAddress {

	private static final Pattern INSIDE = Pattern
		.compile("/(?!/)(?:[A-Za-z0-9/@_.~?&=+:,;!$'()*-]|%[0-9A-Fa-f]{2}){0,500}(?:#[A-Za-z0-9-]{0,100})?");

	private static final Pattern ABSOLUTE = Pattern.compile("https?://[^/?#]+(/[^#]*)(?:#.*)?");

	private ReturnAddress() {
	}

	/**
	 * Returns the text if it is an address inside the site, and the other address if not.
	 */
	public static String or(String text, String otherwise) {
		return isInside(text) ? text : otherwise;
	}

	/**
	 * The address of the page from which a form was sent, without a fragment. Browsers
	 * tell it to the same site.
	 * @param otherwise is returned when the address is not known, or not inside the site
	 */
	public static String ofReferer(ServerRequest request, String otherwise) {
		String referer = Objects.requireNonNullElse(request.headers().firstHeader(HttpHeaders.REFERER), "");
		Matcher address = ABSOLUTE.matcher(referer);
		return address.matches() ? or(address.group(1), otherwise) : otherwise;
	}

	static boolean isInside(String text) {
		return INSIDE.matcher(text).matches();
	}

}
