package live.retwis.web;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import live.retwis.i18n.Language;
import live.retwis.i18n.Localized;
import live.retwis.i18n.TranslatableText;
import live.retwis.logging.RequestId;
import live.retwis.redis.Availability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * The one place where errors become answers: a page, or {@code application/problem+json}
 * for whoever asked for JSON. Says what is wrong and what to do, never how the program
 * looks inside.
 */
@Component
@Order(-2)
class ErrorPages implements WebExceptionHandler {

	private static final Logger log = LoggerFactory.getLogger(ErrorPages.class);

	/** When to come back while Redis is away: it is usually back in seconds. */
	private static final int RETRY_AFTER_SECONDS = 5;

	/** The status says all that a type would. */
	private static final URI NO_TYPE = URI.create("about:blank");

	/** An error page waits no longer to know who is signed in. */
	private static final Duration VIEWER_WAIT = Duration.ofMillis(500);

	private final PageTemplate page;

	private final PageFrames frames;

	private final Viewers viewers;

	private final JsonMapper json;

	ErrorPages(Templates templates, PageFrames frames, Viewers viewers, JsonMapper json) {
		this.page = templates.page("error");
		this.frames = frames;
		this.viewers = viewers;
		this.json = json.rebuild().addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class).build();
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			return Mono.error(error);
		}
		Failure failure = failure(error);
		if (failure.isOurs()) {
			RequestId.in(log.atError(), response)
				.setCause(error)
				.log("{} {} failed", exchange.getRequest().getMethod(), exchange.getRequest().getPath());
		}
		response.setStatusCode(failure.status());
		response.getHeaders().putAll(failure.headers());
		return HtmlResponses.wantsJson(exchange.getRequest().getHeaders().getAccept())
				? write(response, MediaType.APPLICATION_PROBLEM_JSON, json(exchange, failure))
				: html(exchange, failure).flatMap((html) -> write(response, HtmlResponses.UTF8, html));
	}

	/** The CSRF token was missing or old: most often a form left open for long. */
	Mono<Void> refuseForgery(ServerWebExchange exchange, AccessDeniedException denied) {
		return handle(exchange,
				new ProblemException(HttpStatus.FORBIDDEN,
						TranslatableText
							.of("This form was not sent from a page of this site, or has been open for too long. "
									+ "Go back, reload the page and send it again.")));
	}

	private static Failure failure(Throwable error) {
		if (Availability.isAway(error)) {
			HttpHeaders headers = new HttpHeaders();
			headers.set(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS));
			return new Failure(HttpStatus.SERVICE_UNAVAILABLE, TranslatableText
				.of("The data store does not answer at the moment. Nothing is lost; try again in a few seconds."),
					headers);
		}
		if (error instanceof DataBufferLimitException || error.getCause() instanceof DataBufferLimitException) {
			return new Failure(HttpStatus.CONTENT_TOO_LARGE, null, HttpHeaders.EMPTY);
		}
		if (error instanceof ProblemException known) {
			return new Failure(known.getStatusCode(), known.text(), known.getHeaders());
		}
		if (error instanceof ResponseStatusException known) {
			return new Failure(known.getStatusCode(), reason(known), known.getHeaders());
		}
		return new Failure(HttpStatus.INTERNAL_SERVER_ERROR, null, HttpHeaders.EMPTY);
	}

	/** What the framework says of a request that it could not read. */
	private static @Nullable Localized reason(ResponseStatusException error) {
		return (error.getReason() != null) ? Localized.verbatim(error.getReason()) : null;
	}

	private Mono<byte[]> html(ServerWebExchange exchange, Failure failure) {
		Mono<Optional<Viewer>> viewer = (failure.status().is5xxServerError()) ? Mono.just(Optional.empty())
				: this.viewers.of(exchange)
					.map(Optional::of)
					.timeout(VIEWER_WAIT)
					.onErrorComplete()
					.defaultIfEmpty(Optional.empty());
		return viewer.flatMap((known) -> this.frames.of(exchange, failure.heading(), known, null))
			.map((frame) -> HtmlResponses.bytes(this.page, view(exchange, frame, failure)));
	}

	private static ErrorView view(ServerWebExchange exchange, PageFrame frame, Failure failure) {
		return new ErrorView(frame, failure.status().value(), failure.heading(), failure.explanation(),
				failure.headers().getFirst(HttpHeaders.RETRY_AFTER),
				failure.isOurs() ? RequestId.of(exchange.getResponse()) : null);
	}

	private byte[] json(ServerWebExchange exchange, Failure failure) {
		Language language = PageFrames.language(exchange);
		ProblemDetail body = ProblemDetail.forStatusAndDetail(failure.status(), failure.explanation().in(language));
		body.setType(NO_TYPE);
		body.setTitle(failure.heading().in(language));
		if (failure.isOurs()) {
			body.setProperty("request_id", RequestId.of(exchange.getResponse()));
		}
		return this.json.writeValueAsBytes(body);
	}

	private static Mono<Void> write(ServerHttpResponse response, MediaType type, byte[] body) {
		response.getHeaders().setContentType(type);
		response.getHeaders().setContentLength(body.length);
		DataBuffer buffer = response.bufferFactory().wrap(body);
		return response.writeWith(Mono.just(buffer));
	}

	/** What went wrong, for whoever asked. */
	private record Failure(HttpStatusCode status, @Nullable Localized reason, HttpHeaders headers) {

		/** The log tells more, under the number of the request. */
		boolean isOurs() {
			return this.status.value() == 500;
		}

		Localized heading() {
			return switch (this.status.value()) {
				case 400 -> TranslatableText.of("That request makes no sense");
				case 403 -> TranslatableText.of("Not allowed");
				case 404 -> TranslatableText.of("Not found");
				case 405 -> TranslatableText.of("Not possible here");
				case 413 -> TranslatableText.of("Too large");
				case 429 -> TranslatableText.of("Too many tries");
				case 503 -> TranslatableText.of("One moment, please");
				default -> this.status.is5xxServerError() ? TranslatableText.of("Something went wrong")
						: TranslatableText.of("That did not work");
			};
		}

		Localized explanation() {
			if (this.reason != null) {
				return this.reason;
			}
			return switch (this.status.value()) {
				case 404 -> TranslatableText.of("There is nothing at this address.");
				case 405 -> TranslatableText.of("This address cannot be used in this way.");
				case 413 -> TranslatableText.of("What you sent is larger than anything this site takes.");
				default -> this.status.is5xxServerError()
						? TranslatableText.of("The mistake is ours, and it has been noted. Try again in a moment.")
						: TranslatableText.of("Go back and try again.");
			};
		}

	}

	private record ErrorView(PageFrame frame, int status, Localized heading, Localized explanation,
			@Nullable String retryAfter, @Nullable String requestId) implements PageView {
	}

}
