package live.retwis.web;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.logging.LogSanitizer;
import live.retwis.logging.OncePerMinute;
import live.retwis.startup.StartupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/**
 * Tells whether a form was sent from a page of this site. Browsers say so with each form,
 * by {@code Origin} and {@code Sec-Fetch-Site}, and no page can change these. Another
 * host of the same domain is another site. Clients that are no browsers send neither, and
 * need not: nobody can make them send a form.
 */
@Component
class FormOrigins {

	private static final Logger log = LoggerFactory.getLogger(FormOrigins.class);

	private static final String SITE = "Sec-Fetch-Site";

	private static final String SAME = "same-origin";

	/** What a browser says if nobody's page, but its user has sent the request. */
	private static final String BY_USER = "none";

	/** A browser that hides where the form comes from. */
	private static final String HIDDEN = "null";

	private static final Pattern ORIGIN = Pattern.compile("https?://[^/?#\\s]+");

	private final Set<String> others;

	private final OncePerMinute logged = new OncePerMinute();

	FormOrigins(SiteSecurityProperties properties) {
		this.others = properties.origins().stream().map(FormOrigins::checked).collect(Collectors.toUnmodifiableSet());
	}

	private static String checked(String text) {
		String origin = text.strip().toLowerCase(Locale.ROOT);
		if (!ORIGIN.matcher(origin).matches()) {
			throw new StartupException("retwis.origins: '" + text + "' is not an origin",
					"Write an origin as https://www.example.com, without a path.");
		}
		return origin;
	}

	/** Whether the form may be read. */
	boolean accept(ServerHttpRequest request) {
		List<String> sites = request.getHeaders().getOrDefault(SITE, List.of());
		return sites.stream().allMatch((site) -> site.equals(SAME) || site.equals(BY_USER)) && request.getHeaders()
			.getOrDefault(HttpHeaders.ORIGIN, List.of())
			.stream()
			.allMatch((origin) -> origin.equals(HIDDEN) ? sites.contains(SAME) : isOurs(origin, request));
	}

	private boolean isOurs(String origin, ServerHttpRequest request) {
		String own = origin(request.getURI());
		boolean ours = origin.equals(own) || this.others.contains(origin);
		if (!ours && this.logged.isDue()) {
			log.info("Refused a form from {} at {}. If both are this site, pass Host on or set retwis.origins",
					LogSanitizer.printable(origin), LogSanitizer.printable(own));
		}
		return ours;
	}

	/** The origin of an address, as browsers write it. */
	private static String origin(URI address) {
		String usualPort = "https".equals(address.getScheme()) ? ":443" : ":80";
		String host = String.valueOf(address.getRawAuthority()).toLowerCase(Locale.ROOT);
		return address.getScheme() + "://"
				+ (host.endsWith(usualPort) ? host.substring(0, host.length() - usualPort.length()) : host);
	}

	/**
	 * Whether a browser says that the form comes from a page of this site. It must have
	 * been accepted.
	 */
	static boolean isOfOwnPage(ServerHttpRequest request) {
		return request.getHeaders().containsHeader(HttpHeaders.ORIGIN)
				|| SAME.equals(request.getHeaders().getFirst(SITE));
	}

}
