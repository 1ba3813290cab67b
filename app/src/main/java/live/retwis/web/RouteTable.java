package live.retwis.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.OlderPostsAbsence;
import live.retwis.limit.RateLimit;
import live.retwis.logging.RequestId;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.HttpMessageReader;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.security.web.server.util.matcher.OrServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * All pages and forms in one table. HEAD is GET without a body. If an address exists, but
 * not for the method of the request, the answer is 405 and names the methods that it
 * exists for.
 */
public final class RouteTable {

	private final RouteRateLimiter limits;

	private final RouterFunctions.Builder routes = RouterFunctions.route();

	private final Map<String, Set<HttpMethod>> methods = new LinkedHashMap<>();

	/** Pages whose path has no variable, by path. */
	private final Map<String, Page> pages = new HashMap<>();

	/** Pages whose path has variables, by {@linkplain #firstWord first word}. */
	private final Map<String, List<Page>> patterns = new HashMap<>();

	private final List<Route> table = new ArrayList<>();

	private final Set<String> received = new HashSet<>();

	/** Simple name of the class whose routes are being added. */
	private String handler = "";

	RouteTable(RouteRateLimiter limits) {
		this.limits = limits;
	}

	/** Adds all routes of a feature. */
	void add(RouteContributor feature) {
		this.handler = feature.getClass().getSimpleName();
		feature.addTo(this);
	}

	/** All routes, in the order in which they were added. */
	List<Route> table() {
		return List.copyOf(this.table);
	}

	/**
	 * The first parts of all paths, such as {@code settings}. No user has such a name.
	 */
	public Set<String> firstWords() {
		return this.methods.keySet().stream().map((path) -> path.split("/", 3)[1]).collect(Collectors.toSet());
	}

	/**
	 * Adds a page. The context of its work names the client's address, under
	 * {@link RateLimitAddress}, and takes the note of {@link OlderPostsAbsence}.
	 */
	public RouteTable get(String path, HandlerFunction<ServerResponse> handler) {
		return page(path, null, handler);
	}

	/** Adds a page that may be asked for only so often. */
	public RouteTable get(String path, RateLimit limit, HandlerFunction<ServerResponse> handler) {
		return page(path, limit, (request) -> this.limits.within(limit, request, handler));
	}

	/**
	 * Adds a page that may be asked for only so often with such requests.
	 * @param counted whether a request counts
	 */
	public RouteTable get(String path, RateLimit limit, Predicate<ServerRequest> counted,
			HandlerFunction<ServerResponse> handler) {
		return page(path, limit, (request) -> counted.test(request) ? this.limits.within(limit, request, handler)
				: handler.handle(request));
	}

	private RouteTable page(String path, @Nullable RateLimit limit, HandlerFunction<ServerResponse> shown) {
		HandlerFunction<ServerResponse> handler = (request) -> shown.handle(request)
			.contextWrite(OlderPostsAbsence.context(request.attributes())
				.put(RateLimitAddress.class, RateLimitAddress.of(request.exchange())));
		PathPattern pattern = PathPatternParser.defaultInstance.parse(path);
		Page page = new Page(pattern, handler);
		if (pattern.hasPatternSyntax()) {
			this.patterns.computeIfAbsent(firstWord(path), (key) -> new ArrayList<>()).add(page);
		}
		else {
			this.pages.put(path, page);
		}
		return add(path, limit, handler, HttpMethod.GET, HttpMethod.HEAD);
	}

	/**
	 * Adds a form, which may be sent only so often. Log messages during its work contain
	 * the number of the request. The context of its work names the client's address,
	 * under {@link RateLimitAddress}.
	 */
	public RouteTable post(String path, RateLimit limit, HandlerFunction<ServerResponse> handler) {
		return add(path, limit,
				(request) -> this.limits.within(limit, request, handler)
					.contextWrite(RequestId.context(request.exchange().getResponse()))
					.contextWrite(Context.of(RateLimitAddress.class, RateLimitAddress.of(request.exchange()))),
				HttpMethod.POST);
	}

	/**
	 * Adds an address to which browsers send something by themselves. It is no form, so
	 * it has no token. Its handler must not change anything.
	 */
	public RouteTable receive(String path, HandlerFunction<ServerResponse> handler) {
		this.received.add(path);
		return add(path, null, handler, HttpMethod.POST);
	}

	private RouteTable add(String path, @Nullable RateLimit limit, HandlerFunction<ServerResponse> handler,
			HttpMethod... allowed) {
		this.table.add(new Route(allowed[0].name(), path, this.handler, (limit != null) ? List.of(limit) : List.of()));
		this.routes.route(RequestPredicates.methods(allowed).and(RequestPredicates.path(path)), handler);
		this.methods.computeIfAbsent(path, (key) -> new LinkedHashSet<>()).addAll(Set.of(allowed));
		return this;
	}

	/**
	 * Tells what the handler of the newest route counts by itself. That is what not every
	 * request counts for, such as a wrong password.
	 */
	public RouteTable counting(RateLimit... limits) {
		Route newest = this.table.remove(this.table.size() - 1);
		this.table.add(newest.counting(List.of(limits)));
		return this;
	}

	/**
	 * Matches POST requests for a form. Only these need the CSRF token. Every other
	 * request that could change things is answered with 404 or 405.
	 */
	ServerWebExchangeMatcher forms() {
		ServerWebExchangeMatcher forms = new OrServerWebExchangeMatcher(this.methods.entrySet()
			.stream()
			.filter((path) -> path.getValue().contains(HttpMethod.POST) && !this.received.contains(path.getKey()))
			.<ServerWebExchangeMatcher>map(
					(path) -> new PathPatternParserServerWebExchangeMatcher(path.getKey(), HttpMethod.POST))
			.toList());
		return (exchange) -> exchange.getRequest().getMethod().equals(HttpMethod.POST) ? forms.matches(exchange)
				: MatchResult.notMatch();
	}

	/** All routes, and for each path an answer to methods that it does not have. */
	RouterFunction<ServerResponse> routes() {
		this.methods.forEach((path, allowed) -> this.routes.route(RequestPredicates.path(path),
				(request) -> Mono.error(new MethodNotAllowedException(request.method(), allowed))));
		return this.routes.build();
	}

	/**
	 * The first word of a path, which decides between few pages. Of the name of a user it
	 * is {@code @}.
	 */
	private static String firstWord(String path) {
		int end = path.indexOf('/', 1);
		return path.startsWith("/@") ? "@" : path.substring(0, (end < 0) ? path.length() : end);
	}

	/**
	 * Answers a page without Spring's dispatcher. That one asks all its tables by a chain
	 * of operators, which costs more than the look-up. Everything else goes on to the
	 * dispatcher.
	 * @param site the application whose requests these are; the management port is
	 * another one
	 */
	WebFilter directly(ApplicationContext site, ServerCodecConfigurer codecs) {
		ServerResponse.Context context = new WriterContext(codecs.getWriters());
		List<HttpMessageReader<?>> readers = codecs.getReaders();
		return (exchange, chain) -> {
			Page page = (exchange.getRequest().getMethod().equals(HttpMethod.GET)
					&& exchange.getApplicationContext() == site) ? find(exchange) : null;
			if (page == null) {
				return chain.filter(exchange);
			}
			ServerRequest request = ServerRequest.create(exchange, readers);
			exchange.getAttributes().put(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE, page.pattern());
			ServerRequestObservationContext.findCurrent(exchange.getAttributes())
				.ifPresent((observed) -> observed.setPathPattern(page.pattern().getPatternString()));
			return page.handler().handle(request).flatMap((answer) -> answer.writeTo(exchange, context));
		};
	}

	/** The page that a request asks for; null for none. */
	private @Nullable Page find(ServerWebExchange exchange) {
		PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
		Page found = this.pages.get(path.value());
		if (found != null) {
			return found;
		}
		for (Page page : this.patterns.getOrDefault(firstWord(path.value()), List.of())) {
			PathPattern.PathMatchInfo match = page.pattern().matchAndExtract(path);
			if (match != null) {
				exchange.getAttributes().put(RouterFunctions.URI_TEMPLATE_VARIABLES_ATTRIBUTE, match.getUriVariables());
				return page;
			}
		}
		return null;
	}

	/**
	 * A page or a form.
	 *
	 * @param method GET for a page, POST for a form
	 * @param path pattern of the path
	 * @param handler simple name of the class that answers
	 * @param limits how often it may be used; empty when that is not limited
	 */
	record Route(String method, String path, String handler, List<RateLimit> limits) {

		private Route counting(List<RateLimit> further) {
			return new Route(this.method, this.path, this.handler,
					Stream.concat(this.limits.stream(), further.stream()).toList());
		}

	}

	private record WriterContext(List<HttpMessageWriter<?>> messageWriters) implements ServerResponse.Context {

		@Override
		public List<ViewResolver> viewResolvers() {
			return List.of();
		}

	}

	private record Page(PathPattern pattern, HandlerFunction<ServerResponse> handler) {
	}

}
