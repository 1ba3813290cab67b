package live.retwis.web;

import java.time.Duration;
import java.util.Optional;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.limit.RateLimiter.Attempt;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Applies the limits of the routes. Over a limit, the answer is 429. Its page says when
 * one can go on, and is the same form again with what was typed. Passwords and files are
 * never sent back.
 */
@Component
class RouteRateLimiter {

	private final RateLimiter limiter;

	private final Viewers viewers;

	private final PageFrames frames;

	private final PageTemplate page;

	RouteRateLimiter(RateLimiter limiter, Viewers viewers, PageFrames frames, Templates templates) {
		this.limiter = limiter;
		this.viewers = viewers;
		this.frames = frames;
		this.page = templates.page("limited");
	}

	/** Counts the request, and hands it over unless the limit is reached. */
	Mono<ServerResponse> within(RateLimit limit, ServerRequest request, HandlerFunction<ServerResponse> handler) {
		return wait(limit, request).flatMap((wait) -> wait.isZero() ? handler.handle(request) : refuse(request, wait));
	}

	private Mono<Duration> wait(RateLimit limit, ServerRequest request) {
		return attempt(limit, request)
			.flatMap((own) -> RateLimiter.both(own, limit.beside().map((other) -> attempt(other, request))));
	}

	/**
	 * A user whom the data node does not name in time is counted by the address. A cookie
	 * that was not checked says nothing: anybody can send a new one each time.
	 */
	private Mono<Attempt> attempt(RateLimit limit, ServerRequest request) {
		return Mono.defer(() -> {
			ServerWebExchange exchange = request.exchange();
			String address = RateLimitAddress.of(exchange);
			return switch (limit.subject()) {
				case USER -> this.limiter.attempt(limit,
						this.viewers.ahead(exchange).map(Viewer::id).defaultIfEmpty(address), address);
				case USER_AT_ADDRESS -> this.limiter.attempt(limit,
						this.viewers.ahead(exchange)
							.map((viewer) -> viewer.id() + " " + address)
							.defaultIfEmpty(address),
						address);
				case ADDRESS, NAME, NAME_AT_ADDRESS -> this.limiter.attempt(limit, address);
			};
		});
	}

	private Mono<ServerResponse> refuse(ServerRequest request, Duration wait) {
		return HtmlResponses.wantsJson(request)
				? ProblemException.tooMany(RetryAfter.text(wait), RetryAfter.seconds(wait))
				: Mono
					.zip(form(request).singleOptional(), frame(request),
							(form, frame) -> new View(frame, RetryAfter.text(wait), address(request),
									form.orElse(null)))
					.flatMap((view) -> HtmlResponses.page(
							ServerResponse.status(HttpStatus.TOO_MANY_REQUESTS)
								.header(HttpHeaders.RETRY_AFTER, Long.toString(RetryAfter.seconds(wait))),
							this.page, view));
	}

	private Mono<PageFrame> frame(ServerRequest request) {
		return this.viewers.of(request.exchange())
			.map(Optional::of)
			.onErrorComplete()
			.defaultIfEmpty(Optional.empty())
			.flatMap((viewer) -> this.frames.withForms(request.exchange(), Message.of("limit.title"),
					viewer.orElse(null)));
	}

	/** Empty for a page. */
	private static Mono<ResubmittableForm> form(ServerRequest request) {
		return request.method().equals(HttpMethod.POST)
				? SubmittedForm.of(request).map((sent) -> ResubmittableForm.of(address(request), sent)) : Mono.empty();
	}

	private static String address(ServerRequest request) {
		String query = request.uri().getRawQuery();
		return request.uri().getRawPath() + ((query != null) ? "?" + query : "");
	}

	/**
	 * What the page shows.
	 *
	 * @param explanation when one can go on
	 * @param address the page that was asked for
	 * @param again the form that was sent; null for a page
	 */
	private record View(PageFrame frame, Localized explanation, String address,
			@Nullable ResubmittableForm again) implements PageView {
	}

}
