package live.retwis.web;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.security.web.server.util.matcher.OrServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.MethodNotAllowedException;

/**
 * All pages and forms in one table. HEAD is GET without a body. An address that is there,
 * asked for with a method that is not, answers 405 and names the methods that are.
 */
public final class SiteMap {

	private final RouterFunctions.Builder routes = RouterFunctions.route();

	private final Map<String, Set<HttpMethod>> methods = new LinkedHashMap<>();

	/** Adds a page. */
	public SiteMap get(String path, HandlerFunction<ServerResponse> handler) {
		return add(path, handler, HttpMethod.GET, HttpMethod.HEAD);
	}

	/** Adds a form. */
	public SiteMap post(String path, HandlerFunction<ServerResponse> handler) {
		return add(path, handler, HttpMethod.POST);
	}

	private SiteMap add(String path, HandlerFunction<ServerResponse> handler, HttpMethod... allowed) {
		this.routes.route(RequestPredicates.methods(allowed).and(RequestPredicates.path(path)), handler);
		this.methods.computeIfAbsent(path, (key) -> new LinkedHashSet<>()).addAll(Set.of(allowed));
		return this;
	}

	/**
	 * Whether a request changes things: only these need the CSRF token, and any other
	 * unsafe method is answered with 405.
	 */
	ServerWebExchangeMatcher forms() {
		return new OrServerWebExchangeMatcher(this.methods.entrySet()
			.stream()
			.filter((path) -> path.getValue().contains(HttpMethod.POST))
			.<ServerWebExchangeMatcher>map(
					(path) -> new PathPatternParserServerWebExchangeMatcher(path.getKey(), HttpMethod.POST))
			.toList());
	}

	RouterFunction<ServerResponse> routes() {
		this.methods.forEach((path, allowed) -> this.routes.route(RequestPredicates.path(path),
				(request) -> Mono.error(new MethodNotAllowedException(request.method(), allowed))));
		return this.routes.build();
	}

}
