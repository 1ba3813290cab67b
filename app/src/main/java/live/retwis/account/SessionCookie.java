package live.retwis.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.redis.RandomTokens;
import live.retwis.web.HostPrefixCookie;

import org.springframework.http.ResponseCookie;
import org.springframework.web.server.ServerWebExchange;

/**
 * The {@code auth} cookie: {@code <user id>.<256 random bits>}. Redis stores only the
 * SHA-256 of the random part, so that nobody who can read the store can log in with it.
 *
 * @param userId id of the user whom the cookie claims to belong to
 * @param token the random part
 */
record SessionCookie(String userId, String token) {

	static final Duration LIFE = Duration.ofDays(365);

	private static final int PUBLIC_ID_LENGTH = 16;

	private static final String ATTRIBUTE = SessionCookie.class.getName();

	private static final Pattern TEXT = Pattern.compile("([0-9A-Z]{13})\\.([A-Za-z0-9_-]{43})");

	/** A cookie for a new session. */
	static SessionCookie create(String userId) {
		return new SessionCookie(userId, RandomTokens.ofBits(256));
	}

	/**
	 * The request's cookie, parsed once per request. A malformed cookie counts as absent.
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
		return HostPrefixCookie.SESSION.read(exchange)
			.map(TEXT::matcher)
			.filter(Matcher::matches)
			.map((matcher) -> new SessionCookie(matcher.group(1), matcher.group(2)));
	}

	/** SHA-256 of the token, in hex. */
	String tokenHash() {
		return sha256(this.token);
	}

	/**
	 * The id of a session in pages and addresses. It is a hash of the token's hash, so
	 * that neither can be derived from it.
	 */
	static String publicId(String tokenHash) {
		return sha256(tokenHash).substring(0, PUBLIC_ID_LENGTH);
	}

	static String sha256(String text) {
		try {
			MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(sha256.digest(text.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Makes this the session of the current request, and sets the cookie in the response.
	 */
	void enter(ServerWebExchange exchange) {
		exchange.getAttributes().put(ATTRIBUTE, Optional.of(this));
		exchange.getResponse().addCookie(set(exchange));
	}

	/** The cookie as the response sets it. */
	ResponseCookie set(ServerWebExchange exchange) {
		return HostPrefixCookie.SESSION.set(exchange, this.userId + "." + this.token, LIFE);
	}

	/** A cookie that makes the browser delete it. */
	static ResponseCookie clear(ServerWebExchange exchange) {
		return HostPrefixCookie.SESSION.set(exchange, "", Duration.ZERO);
	}

}
