package live.retwis.web;

import java.util.List;

import live.retwis.redis.Nonces;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.XorServerCsrfTokenRequestAttributeHandler;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter.ReferrerPolicy;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The site map and what guards it. Nothing here keeps a web session: the CSRF token is
 * compared with a cookie, and who is signed in is read from Redis for each request. Each
 * filter of Spring Security costs every page some, so there are only the two that do
 * something here: CSRF and headers.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class WebConfiguration {

	private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; base-uri 'none'; "
			+ "form-action 'self'; frame-ancestors 'none'; object-src 'none'";

	@Bean
	SiteMap siteMap(List<SiteRoutes> features) {
		SiteMap site = new SiteMap();
		features.forEach((feature) -> feature.addTo(site));
		return site;
	}

	@Bean
	RouterFunction<ServerResponse> routes(SiteMap site) {
		return site.routes();
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http, SiteMap site, ErrorPages errors) {
		return http
			.csrf((csrf) -> csrf.csrfTokenRepository(csrfTokens())
				.csrfTokenRequestHandler(csrfMask())
				.requireCsrfProtectionMatcher(site.forms())
				.accessDeniedHandler(errors::refuseForgery))
			.headers((headers) -> headers
				.contentSecurityPolicy((policy) -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
				.referrerPolicy((policy) -> policy.policy(ReferrerPolicy.SAME_ORIGIN)))
			.requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
			.httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
			.formLogin(ServerHttpSecurity.FormLoginSpec::disable)
			.logout(ServerHttpSecurity.LogoutSpec::disable)
			.anonymous(ServerHttpSecurity.AnonymousSpec::disable)
			.build();
	}

	/** The token differs on each page, so that compressed pages do not give it away. */
	private static XorServerCsrfTokenRequestAttributeHandler csrfMask() {
		XorServerCsrfTokenRequestAttributeHandler mask = new XorServerCsrfTokenRequestAttributeHandler();
		mask.setSecureRandom(Nonces.random());
		return mask;
	}

	private static CookieServerCsrfTokenRepository csrfTokens() {
		CookieServerCsrfTokenRepository tokens = new CookieServerCsrfTokenRepository();
		tokens.setCookieCustomizer((cookie) -> cookie.httpOnly(true).sameSite("Lax"));
		return tokens;
	}

	/**
	 * With Spring's own observations of each filter a constant page is six times slower.
	 */
	@Bean
	SecurityObservationSettings noSecurityObservations() {
		return SecurityObservationSettings.noObservations();
	}

}
