package live.retwis.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.redis.Nonces;

import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseCookie;
import org.springframework.web.server.ServerWebExchange;

/**
 * The {@code auth} cookie: {@code <user id>.<256 random bits>}. Redis knows the random
 * part only by its SHA-256, so that who reads the store cannot sign in.
 *
 * @param userId whose session it says it is
 * @param token the random part
 */
record SessionCookie(String userId, String token) {

	static final String NAME = "auth";

	static final Duration LIFE = Duration.ofDays(365);

	private static final String ATTRIBUTE = SessionCookie.class.getName();

	private static final Pattern TEXT = Pattern.compile("([0-9A-Z]{13})\\.([A-Za-z0-9_-]{43})");

	/** A new session's cookie. */
	static SessionCookie create(String userId) {
		return new SessionCookie(userId, Nonces.ofBits(256));
	}

	/**
	 * The request's cookie, read once for each request; one that is malformed counts as
	 * none.
	 */
	static Optional<SessionCookie> of(ServerWebExchange exchange) {
		Optional<SessionCookie> known = exchange.getAttribute(ATTRIBUTE);
		if (known != null) {
			return known;
		}
		Optional<SessionCookie> read = read(exchange);
		exchange.getAttributes().put(ATTRIBUTE, read);
		return read;
	}

	private static Optional<SessionCookie> read(ServerWebExchange exchange) {
		HttpCookie cookie = exchange.getRequest().getCookies().getFirst(NAME);
		if (cookie == null) {
			return Optional.empty();
		}
		Matcher matcher = TEXT.matcher(cookie.getValue());
		return matcher.matches() ? Optional.of(new SessionCookie(matcher.group(1), matcher.group(2)))
				: Optional.empty();
	}

	/** SHA-256 of the token, in hex. */
	String tokenHash() {
		try {
			MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(sha256.digest(this.token.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	/** This request's session from now on, and the browser's with the answer. */
	void enter(ServerWebExchange exchange) {
		exchange.getAttributes().put(ATTRIBUTE, Optional.of(this));
		exchange.getResponse().addCookie(set(exchange));
	}

	/** As the answer sets it. */
	ResponseCookie set(ServerWebExchange exchange) {
		return cookie(exchange, this.userId + "." + this.token, LIFE);
	}

	/** As the answer takes it away. */
	static ResponseCookie clear(ServerWebExchange exchange) {
		return cookie(exchange, "", Duration.ZERO);
	}

	private static ResponseCookie cookie(ServerWebExchange exchange, String value, Duration life) {
		return ResponseCookie.from(NAME, value)
			.httpOnly(true)
			.secure("https".equals(exchange.getRequest().getURI().getScheme()))
			.sameSite("Lax")
			.path("/")
			.maxAge(life)
			.build();
	}

}
