package live.retwis.account;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import live.retwis.redis.RandomTokens;
import live.retwis.web.HostPrefixCookie;

import org.springframework.http.ResponseCookie;
import org.springframework.web.server.ServerWebExchange;

/**
 * The {@code device} cookie: 256 random bits that tell a browser from others. It stays
 * when its user logs out. It opens nothing: it says that somebody was logged in here
 * before.
 *
 * @param token the random bits
 */
record DeviceCookie(String token) {

	private static final HostPrefixCookie COOKIE = new HostPrefixCookie("device");

	private static final Duration LIFE = Duration.ofDays(365);

	private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{43}");

	static DeviceCookie create() {
		return new DeviceCookie(RandomTokens.ofBits(256));
	}

	/** The request's cookie. A malformed cookie counts as absent. */
	static Optional<DeviceCookie> of(ServerWebExchange exchange) {
		return COOKIE.read(exchange).filter((value) -> TEXT.matcher(value).matches()).map(DeviceCookie::new);
	}

	/**
	 * What is stored for a user. It differs between the users of a browser, so that the
	 * store does not tell that they share one.
	 */
	String hashFor(String userId) {
		return SessionCookie.sha256(userId + "." + this.token);
	}

	/** The cookie as the response sets it. */
	ResponseCookie set(ServerWebExchange exchange) {
		return COOKIE.set(exchange, this.token, LIFE);
	}

}
