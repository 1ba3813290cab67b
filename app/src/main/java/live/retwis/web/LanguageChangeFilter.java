package live.retwis.web;

import java.time.Duration;

import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Stores the language that an address chooses with {@code ?lang=<language>} in a cookie,
 * so that later pages have the same language.
 */
@Component
@Order(FilterOrder.LANGUAGE_CHANGE)
class LanguageChangeFilter implements WebFilter {

	private static final Duration LIFE = Duration.ofDays(365);

	private final Languages languages;

	LanguageChangeFilter(Languages languages) {
		this.languages = languages;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		this.languages.chosen(exchange.getRequest())
			.ifPresent((language) -> exchange.getResponse().addCookie(cookie(exchange, language)));
		return chain.filter(exchange);
	}

	private static ResponseCookie cookie(ServerWebExchange exchange, Language language) {
		return ResponseCookie.from(Languages.PARAMETER, language.tag())
			.httpOnly(true)
			.secure("https".equals(exchange.getRequest().getURI().getScheme()))
			.sameSite("Lax")
			.path("/")
			.maxAge(LIFE)
			.build();
	}

}
