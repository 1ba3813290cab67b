package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import live.retwis.redis.RandomTokens;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.csrf.DefaultCsrfToken;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRepository;
import org.springframework.web.server.ServerWebExchange;

/**
 * The CSRF tokens of forms. A request with a session has a token that is derived from the
 * session's secret. So nobody can plant it, and it changes when the user logs in or out.
 * A request without a session has a random token in a cookie, which is deleted after a
 * log-in. Whoever plants that cookie knows the token; then {@link FormOrigins} refuses
 * the form.
 */
final class CsrfTokens implements ServerCsrfTokenRepository {

	private static final String HEADER = "X-XSRF-TOKEN";

	private static final String FIELD = "_csrf";

	private static final HostPrefixCookie COOKIE = new HostPrefixCookie("XSRF-TOKEN");

	private static final String ALGORITHM = "HmacSHA256";

	/** Says what the secret is used for here. */
	private static final byte[] PURPOSE = "csrf".getBytes(StandardCharsets.US_ASCII);

	/**
	 * A masked token has 112 characters, four thirds of twice this length. At this length
	 * it has no padding, so no character that HTML escapes, and programs can read it from
	 * pages as it is.
	 */
	private static final int LENGTH = 42;

	private final Viewers viewers;

	CsrfTokens(Viewers viewers) {
		this.viewers = viewers;
	}

	/** The request's token. If it has none, the response gives it one. */
	Mono<CsrfToken> current(ServerWebExchange exchange) {
		return loadToken(exchange)
			.switchIfEmpty(Mono.defer(() -> generateToken(exchange).delayUntil((token) -> saveToken(exchange, token))));
	}

	/** Reads the session when it is subscribed to, because a form can begin one. */
	@Override
	public Mono<CsrfToken> loadToken(ServerWebExchange exchange) {
		return Mono.defer(() -> {
			Optional<String> secret = this.viewers.sessionSecret(exchange);
			if (secret.isPresent()) {
				COOKIE.deleteIfSent(exchange);
			}
			return Mono.justOrEmpty(secret.map(CsrfTokens::derive)
				.or(() -> COOKIE.read(exchange).filter((text) -> !text.isEmpty()))
				.map(CsrfTokens::token));
		});
	}

	@Override
	public Mono<CsrfToken> generateToken(ServerWebExchange exchange) {
		return Mono.fromSupplier(() -> token(RandomTokens.ofBits(256).substring(0, LENGTH)));
	}

	@Override
	public Mono<Void> saveToken(ServerWebExchange exchange, @Nullable CsrfToken token) {
		return Mono.fromRunnable(() -> Optional.ofNullable(token)
			.ifPresent((made) -> exchange.getResponse()
				.addCookie(COOKIE.set(exchange, made.getToken(), HostPrefixCookie.UNTIL_CLOSED))));
	}

	private static CsrfToken token(String text) {
		return new DefaultCsrfToken(HEADER, FIELD, text);
	}

	private static String derive(String secret) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), ALGORITHM));
			return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE)).substring(0, LENGTH);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("every Java platform has " + ALGORITHM, ex);
		}
	}

}
