package live.retwis.account;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;

import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/**
 * Browser and system of somebody who is logged in, as far as {@code User-Agent} tells.
 * Names are the same in every language.
 *
 * @param browser name of the browser; empty when it is unknown
 * @param system name of the operating system; empty when it is unknown
 */
record UserAgent(String browser, String system) {

	private static final String SEPARATOR = "/";

	/** Most browsers name others, too. So the order matters. */
	private static final Map<Pattern, String> BROWSERS = table("Edg(e|A|iOS)?/", "Edge", "OPR/|Opera", "Opera",
			"SamsungBrowser/", "Samsung Internet", "Firefox/|FxiOS/", "Firefox", "Chrome/|CriOS/|Chromium/", "Chrome",
			"Version/.*Safari/", "Safari", "^curl/", "curl");

	/**
	 * Characters of {@code User-Agent} that are read. Browsers send about 150. Searching
	 * the longest possible header would take tens of milliseconds.
	 */
	private static final int LONGEST = 500;

	private static final Map<Pattern, String> SYSTEMS = table("Android", "Android", "iPhone|iPod", "iPhone", "iPad",
			"iPad", "Windows", "Windows", "CrOS", "ChromeOS", "Macintosh|Mac OS X", "macOS", "Linux|X11", "Linux");

	/** What sent a request. */
	static UserAgent of(ServerWebExchange exchange) {
		return of(String.valueOf(exchange.getRequest().getHeaders().getFirst(HttpHeaders.USER_AGENT)));
	}

	/** What this {@code User-Agent} header tells. */
	static UserAgent of(String header) {
		String read = header.substring(0, Math.min(header.length(), LONGEST));
		return new UserAgent(find(BROWSERS, read), find(SYSTEMS, read));
	}

	/** Reads what {@link #stored} has written. */
	static UserAgent parse(String stored) {
		String[] names = stored.split(SEPARATOR, 2);
		return new UserAgent(names[0], (names.length > 1) ? names[1] : "");
	}

	String stored() {
		return this.browser + SEPARATOR + this.system;
	}

	/** Like {@code Firefox on Linux}. */
	Localized text() {
		if (!this.browser.isEmpty() && !this.system.isEmpty()) {
			return Message.of("sessions.device", this.browser, this.system);
		}
		String known = this.browser + this.system;
		return known.isEmpty() ? Message.of("sessions.unknown-device") : Localized.verbatim(known);
	}

	private static String find(Map<Pattern, String> names, String header) {
		return names.entrySet()
			.stream()
			.filter((name) -> name.getKey().matcher(header).find())
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("");
	}

	private static Map<Pattern, String> table(String... patternsAndNames) {
		Map<Pattern, String> table = new LinkedHashMap<>();
		for (int i = 0; i < patternsAndNames.length; i += 2) {
			table.put(Pattern.compile(patternsAndNames[i]), patternsAndNames[i + 1]);
		}
		return table;
	}

}
