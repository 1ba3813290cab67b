package live.retwis.web;

import java.util.List;

import live.retwis.redis.RandomTokens;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.security.web.server.csrf.XorServerCsrfTokenRequestAttributeHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;

/**
 * Creates the table of routes, and the filters that read forms and check their CSRF
 * tokens. The server keeps no web session: the CSRF token is derived from a cookie, and
 * each request reads from Redis who is signed in. Of Spring Security's filters only the
 * CSRF filter is used. The filter chain and its other filters would cost time on every
 * page.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
class WebConfiguration {

	@Bean
	RouteTable routeTable(List<RouteContributor> features, RouteRateLimiter limits) {
		RouteTable table = new RouteTable(limits);
		features.forEach(table::add);
		return table;
	}

	@Bean
	RouterFunction<ServerResponse> routes(RouteTable table) {
		return table.routes();
	}

	@Bean
	@Order(FilterOrder.DIRECT_PAGES)
	WebFilter directPages(RouteTable table, ApplicationContext context, ServerCodecConfigurer codecs) {
		return table.directly(context, codecs);
	}

	@Bean
	WebHttpHandlerBuilderCustomizer malformedMediaTypes() {
		return (builder) -> builder.httpHandlerDecorator(MalformedMediaTypeStripper::new);
	}

	@Bean
	WebHttpHandlerBuilderCustomizer directFilterChain() {
		return (builder) -> builder.filters((filters) -> {
			WebFilter all = new DirectFilterChain(filters);
			filters.clear();
			filters.add(all);
		});
	}

	/** Spring looks for a bean with this name. */
	@Bean
	@ConditionalOnProperty("retwis.proxies")
	TrustedProxies forwardedHeaderTransformer(@Value("${retwis.proxies}") List<String> networks) {
		return new TrustedProxies(networks);
	}

	@Bean
	@Order(FilterOrder.FORM_READER)
	FormReader formReader(RouteTable table, FormOrigins origins, ServerLimitProperties limits) {
		return new FormReader(table.forms(), origins, limits.bodyTimeout());
	}

	@Bean
	@Order(FilterOrder.CSRF)
	WebFilter csrf(RouteTable table, ErrorResponder errors, Viewers viewers) {
		CsrfTokens tokens = new CsrfTokens(viewers);
		XorServerCsrfTokenRequestAttributeHandler mask = csrfMask();
		CsrfWebFilter csrf = new CsrfWebFilter();
		csrf.setCsrfTokenRepository(tokens);
		csrf.setRequestHandler(mask);
		csrf.setRequireCsrfProtectionMatcher(table.forms());
		csrf.setAccessDeniedHandler((exchange, denied) -> {
			mask.handle(exchange, tokens.current(exchange));
			return errors.refuseForgery(exchange);
		});
		return (exchange, chain) -> {
			if (exchange.getRequest().getMethod().equals(HttpMethod.POST)) {
				return csrf.filter(exchange, chain);
			}
			mask.handle(exchange, tokens.current(exchange));
			return chain.filter(exchange);
		};
	}

	/**
	 * Encodes the token differently on each page. Otherwise the size of compressed pages
	 * could give it away.
	 */
	private static XorServerCsrfTokenRequestAttributeHandler csrfMask() {
		XorServerCsrfTokenRequestAttributeHandler mask = new XorServerCsrfTokenRequestAttributeHandler();
		mask.setSecureRandom(RandomTokens.random());
		return mask;
	}

}
