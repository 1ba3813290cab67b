package live.retwis.web;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import io.netty.handler.codec.http2.Http2Exception;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveSearchTooSlowException;
import live.retwis.i18n.Language;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.logging.RequestId;
import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Turns every error into an answer: a page, or {@code application/problem+json} for
 * clients that ask for JSON. It says what is wrong and what to do. It never shows details
 * of the program.
 */
@Component
@Order(-2)
class ErrorResponder implements WebExceptionHandler {

	/**
	 * The server itself has answered, because the rest of the request is malformed.
	 * Reactor Netty has no type for this error.
	 */
	private static final String ANSWERED = "Status and headers already sent";

	/** Redis is usually back within seconds. */
	private static final int RETRY_AFTER_SECONDS = 5;

	/** The problem has no type of its own, because the status says enough. */
	private static final URI NO_TYPE = URI.create("about:blank");

	/**
	 * Longest wait to find out who is signed in. After it the page is shown as to a
	 * visitor.
	 */
	private static final Duration VIEWER_WAIT = Duration.ofMillis(500);

	/** Name of the attribute that has a form to be sent again. */
	private static final String AGAIN = ResubmittableForm.class.getName();

	/** Most characters of a form that was not taken. */
	private static final int LONGEST_AGAIN = 8_000;

	/** After these the same form can be taken later. */
	private static final Set<HttpStatusCode> PASSING = Set.of(HttpStatus.SERVICE_UNAVAILABLE,
			HttpStatus.INSUFFICIENT_STORAGE);

	private final PageTemplate page;

	private final PageFrames frames;

	private final Viewers viewers;

	private final JsonMapper json;

	ErrorResponder(Templates templates, PageFrames frames, Viewers viewers, JsonMapper json) {
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
		if (error instanceof AbortedException) {
			// The client has gone, so nobody reads an answer.
			return Mono.empty();
		}
		Failure failure = failure(error);
		response.setStatusCode(failure.status());
		response.getHeaders().remove(HttpHeaders.ETAG);
		response.getHeaders().remove(HttpHeaders.LAST_MODIFIED);
		response.getHeaders().setCacheControl(CacheControl.noStore());
		response.getHeaders().putAll(failure.headers());
		return HtmlResponses.wantsJson(exchange.getRequest().getHeaders())
				? write(response, MediaType.APPLICATION_PROBLEM_JSON, json(exchange, failure))
				: html(exchange, error, failure).flatMap((html) -> write(response, HtmlResponses.UTF8, html));
	}

	/**
	 * Answers a form whose CSRF token is missing or old. If the form comes from a page of
	 * this site, its user has logged in or out since, in another tab. Then the answer has
	 * the form, with a new token, so that nothing is lost.
	 */
	Mono<Void> refuseForgery(ServerWebExchange exchange) {
		if (!FormOrigins.isOfOwnPage(exchange.getRequest())) {
			return handle(exchange, new ProblemException(HttpStatus.FORBIDDEN, Message.of("error.forged")));
		}
		return SubmittedForm.of(exchange).flatMap((sent) -> {
			showAgain(exchange, ResubmittableForm.of(exchange.getRequest().getPath().value(), sent));
			return handle(exchange,
					new ProblemException(HttpStatus.FORBIDDEN, Message.of("error.outdated"), "outdated"));
		});
	}

	/** The page about the error that ends this request will have the form. */
	static void showAgain(ServerWebExchange exchange, ResubmittableForm form) {
		exchange.getAttributes().put(AGAIN, form);
	}

	/** Whether the error is one of the program. */
	static boolean isOurs(Throwable error) {
		return !(error instanceof AbortedException) && !ANSWERED.equals(error.getMessage()) && failure(error).isOurs();
	}

	private static Failure failure(Throwable error) {
		if (RedisErrorClassifier.isAway(error)) {
			HttpHeaders headers = new HttpHeaders();
			headers.set(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS));
			return new Failure(HttpStatus.SERVICE_UNAVAILABLE, away(error), headers);
		}
		if (error instanceof DataNodeFullException) {
			return new Failure(HttpStatus.INSUFFICIENT_STORAGE, Message.of("error.507-text"), HttpHeaders.EMPTY);
		}
		if (error instanceof DataBufferLimitException || error.getCause() instanceof DataBufferLimitException) {
			return new Failure(HttpStatus.CONTENT_TOO_LARGE, null, HttpHeaders.EMPTY);
		}
		if (error instanceof Http2Exception) {
			return new Failure(HttpStatus.BAD_REQUEST, null, HttpHeaders.EMPTY);
		}
		if (error instanceof ProblemException known) {
			return new Failure(known.getStatusCode(), known.text(), known.getHeaders(), known.mark());
		}
		if (error instanceof ResponseStatusException known) {
			return new Failure(known.getStatusCode(), null, known.getHeaders());
		}
		return new Failure(HttpStatus.INTERNAL_SERVER_ERROR, null, HttpHeaders.EMPTY);
	}

	private static Message away(Throwable error) {
		if (error instanceof ArchiveSearchTooSlowException) {
			return Message.of("search.too-slow");
		}
		return (error instanceof ArchiveAwayException) ? Message.of("error.archive-away") : Message.of("error.away");
	}

	private Mono<byte[]> html(ServerWebExchange exchange, Throwable error, Failure failure) {
		Mono<Optional<Viewer>> viewer = (failure.status().is5xxServerError()) ? Mono.just(Optional.empty())
				: this.viewers.of(exchange)
					.map(Optional::of)
					.timeout(VIEWER_WAIT)
					.onErrorComplete()
					.defaultIfEmpty(Optional.empty());
		ResubmittableForm again = again(exchange, error, failure);
		return viewer
			.flatMap((known) -> (again != null) ? this.frames.withForms(exchange, failure.heading(), known.orElse(null))
					: this.frames.of(exchange, failure.heading(), known, null))
			.map((frame) -> HtmlResponses.bytes(this.page, view(exchange, frame, failure, again)));
	}

	/**
	 * A form that cannot be taken now can be sent again from the page that says so,
	 * unless it is long: an overloaded site must not write it all.
	 */
	private static @Nullable ResubmittableForm again(ServerWebExchange exchange, Throwable error, Failure failure) {
		ResubmittableForm refused = exchange.getAttribute(AGAIN);
		if (refused != null || !PASSING.contains(failure.status())) {
			return refused;
		}
		return SubmittedForm.alreadyRead(exchange)
			.map((sent) -> ResubmittableForm.of(exchange.getRequest().getPath().value(), sent))
			.filter((form) -> form.length() <= LONGEST_AGAIN)
			.map((form) -> RedisErrorClassifier.isAway(error) ? form.doubted() : form)
			.orElse(null);
	}

	private static ErrorView view(ServerWebExchange exchange, PageFrame frame, Failure failure,
			@Nullable ResubmittableForm again) {
		return new ErrorView(frame, failure.status().value(), failure.heading(), failure.explanation(),
				failure.retryAfter(), failure.isOurs() ? RequestId.of(exchange.getResponse()) : null,
				!exchange.getRequest().getMethod().equals(HttpMethod.POST), again);
	}

	private byte[] json(ServerWebExchange exchange, Failure failure) {
		Language language = this.frames.language(exchange);
		ProblemDetail body = ProblemDetail.forStatusAndDetail(failure.status(), failure.explanation().in(language));
		body.setType(NO_TYPE);
		body.setTitle(failure.heading().in(language));
		if (failure.isOurs()) {
			body.setProperty("request_id", RequestId.of(exchange.getResponse()));
		}
		if (failure.mark() != null) {
			body.setProperty(failure.mark(), true);
		}
		return this.json.writeValueAsBytes(body);
	}

	private static Mono<Void> write(ServerHttpResponse response, MediaType type, byte[] body) {
		response.getHeaders().setContentType(type);
		response.getHeaders().setContentLength(body.length);
		DataBuffer buffer = response.bufferFactory().wrap(body);
		return response.writeWith(Mono.just(buffer));
	}

	/** What the answer says about the error. */
	private record Failure(HttpStatusCode status, @Nullable Localized reason, HttpHeaders headers,
			@Nullable String mark) {

		Failure(HttpStatusCode status, @Nullable Localized reason, HttpHeaders headers) {
			this(status, reason, headers, null);
		}

		/**
		 * Whether the error is one of the program. The log then has details under the
		 * number of the request.
		 */
		boolean isOurs() {
			return this.status.value() == 500;
		}

		@Nullable Localized retryAfter() {
			String seconds = this.headers.getFirst(HttpHeaders.RETRY_AFTER);
			return (seconds != null) ? Message.of("error.retry", Long.valueOf(seconds)) : null;
		}

		Localized heading() {
			return switch (this.status.value()) {
				case 400 -> Message.of("error.400");
				case 403 -> Message.of("error.403");
				case 404 -> Message.of("error.404");
				case 405 -> Message.of("error.405");
				case 413 -> Message.of("error.413");
				case 429 -> Message.of("error.429");
				case 503 -> Message.of("error.503");
				case 507 -> Message.of("error.507");
				default -> this.status.is5xxServerError() ? Message.of("error.5xx") : Message.of("error.4xx");
			};
		}

		Localized explanation() {
			if (this.reason != null) {
				return this.reason;
			}
			return switch (this.status.value()) {
				case 400 -> Message.of("error.400-text");
				case 404 -> Message.of("error.404-text");
				case 405 -> Message.of("error.405-text");
				case 413 -> Message.of("error.413-text");
				default -> this.status.is5xxServerError() ? Message.of("error.5xx-text") : Message.of("error.4xx-text");
			};
		}

	}

	/**
	 * The error page.
	 *
	 * @param frame what stands around it
	 * @param status HTTP status
	 * @param heading the error in a few words
	 * @param explanation what is wrong and what to do
	 * @param retryAfter when to try again; null when that is not known
	 * @param requestId number of the request in the log; null when the log has no details
	 * @param canReload whether GET answers at this address too, so that the page can link
	 * to itself in another language
	 * @param again the form that was refused, to be sent again; null for none
	 */
	private record ErrorView(PageFrame frame, int status, Localized heading, Localized explanation,
			@Nullable Localized retryAfter, @Nullable String requestId, boolean canReload,
			@Nullable ResubmittableForm again) implements PageView {
	}

}
