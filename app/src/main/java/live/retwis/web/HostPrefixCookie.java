package live.retwis.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * A cookie that decides what a request may do. Over TLS its name begins with
 * {@code __Host-}: browsers take such a cookie from this host alone, over TLS alone.
 * Other hosts of the same domain can set a cookie without the prefix, and so can whoever
 * changes plain HTTP on its way.
 *
 * @param name name of the cookie over plain HTTP
 */
public record HostPrefixCookie(String name) {

	/** The cookie of a session, which {@code account} reads and writes. */
	public static final HostPrefixCookie SESSION = new HostPrefixCookie("auth");

	private static final String PREFIX = "__Host-";

	/** A browser ends such a cookie when it closes. */
	public static final Duration UNTIL_CLOSED = Duration.ofSeconds(-1);

	/** The client chooses what it calls the host, so this bounds the response. */
	private static final int MOST_DOMAINS = 4;

	private static final int LONGEST_DOMAIN = 253;

	/** Attribute of a request whose answer deletes the cookie already, and its name. */
	private static final String DELETED = HostPrefixCookie.class.getName() + ".deleted.";

	private static final Pattern DOMAIN = Pattern.compile("[a-z0-9]+(?:[.-][a-z0-9]+)*\\.[a-z]+");

	/**
	 * The value in the request; empty for none. If the request has several, one of them
	 * was planted, and nobody can tell which. They count as none, and are deleted.
	 */
	public Optional<String> read(ServerWebExchange exchange) {
		return read(exchange, nameFor(exchange.getRequest()));
	}

	private static Optional<String> read(ServerWebExchange exchange, String name) {
		List<HttpCookie> sent = exchange.getRequest().getCookies().getOrDefault(name, List.of());
		if (sent.size() > 1 && exchange.getAttributes().putIfAbsent(DELETED + name, true) == null) {
			deleteAll(exchange, name);
		}
		return (sent.size() == 1) ? Optional.of(sent.get(0).getValue()) : Optional.empty();
	}

	/** Deletes the cookie in the browser, if the request has it. */
	void deleteIfSent(ServerWebExchange exchange) {
		String name = nameFor(exchange.getRequest());
		if (exchange.getRequest().getCookies().containsKey(name)) {
			exchange.getResponse().addCookie(cookie(exchange.getRequest(), name, "", Duration.ZERO).build());
		}
	}

	/** A planted cookie can belong to the host's domain, or to any domain above it. */
	private static void deleteAll(ServerWebExchange exchange, String name) {
		ServerHttpRequest request = exchange.getRequest();
		exchange.getResponse().addCookie(cookie(request, name, "", Duration.ZERO).build());
		String domain = String.valueOf(request.getURI().getHost());
		for (int i = 0; i < MOST_DOMAINS && isDomain(domain); i++) {
			exchange.getResponse().addCookie(cookie(request, name, "", Duration.ZERO).domain(domain).build());
			domain = domain.substring(domain.indexOf('.') + 1);
		}
	}

	private static boolean isDomain(String text) {
		return text.length() <= LONGEST_DOMAIN && DOMAIN.matcher(text).matches();
	}

	/**
	 * The cookie as a response sets it. Scripts cannot read it, and requests from other
	 * sites do not send it, links aside.
	 */
	public ResponseCookie set(ServerWebExchange exchange, String value, Duration life) {
		return cookie(exchange.getRequest(), nameFor(exchange.getRequest()), value, life).build();
	}

	private static ResponseCookie.ResponseCookieBuilder cookie(ServerHttpRequest request, String name, String value,
			Duration life) {
		return ResponseCookie.from(name, value)
			.httpOnly(true)
			.secure(isOverTls(request))
			.sameSite("Lax")
			.path("/")
			.maxAge(life);
	}

	private String nameFor(ServerHttpRequest request) {
		return isOverTls(request) ? PREFIX + this.name : this.name;
	}

	static boolean isOverTls(ServerHttpRequest request) {
		return "https".equals(request.getURI().getScheme());
	}

}
