package live.retwis.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import com.samskivert.mustache.Template;
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

	/** An error page waits no longer to know who is signed in. */
	private static final Duration VIEWER_WAIT = Duration.ofMillis(500);

	private final Template page;

	private final Frames frames;

	private final Viewers viewers;

	private final JsonMapper json;

	ErrorPages(Templates templates, Frames frames, Viewers viewers, JsonMapper json) {
		this.page = templates.compile("error");
		this.frames = frames;
		this.viewers = viewers;
		this.json = json;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
		ServerHttpResponse response = exchange.getResponse();
		if (response.isCommitted()) {
			return Mono.error(error);
		}
		Problem problem = problem(error);
		if (problem.status().value() == 500) {
			log.error("{} {} failed", exchange.getRequest().getMethod(), exchange.getRequest().getPath(), error);
		}
		response.setStatusCode(problem.status());
		response.getHeaders().putAll(problem.headers());
		return Html.wantsJson(exchange.getRequest().getHeaders().getAccept())
				? write(response, MediaType.APPLICATION_PROBLEM_JSON, json(problem))
				: html(exchange, problem).flatMap((html) -> write(response, Html.UTF8, html));
	}

	/** The CSRF token was missing or old: most often a form left open for long. */
	Mono<Void> refuseForgery(ServerWebExchange exchange, AccessDeniedException denied) {
		return handle(exchange,
				new ResponseStatusException(HttpStatus.FORBIDDEN,
						"This form was not sent from a page of this site, or has been open for too long. "
								+ "Go back, reload the page and send it again."));
	}

	private static Problem problem(Throwable error) {
		if (Availability.isAway(error)) {
			HttpHeaders headers = new HttpHeaders();
			headers.set(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS));
			return new Problem(HttpStatus.SERVICE_UNAVAILABLE,
					"The data store does not answer at the moment. Nothing is lost; try again in a few seconds.",
					headers);
		}
		if (error instanceof DataBufferLimitException || error.getCause() instanceof DataBufferLimitException) {
			return new Problem(HttpStatus.CONTENT_TOO_LARGE, null, HttpHeaders.EMPTY);
		}
		if (error instanceof ResponseStatusException known) {
			return new Problem(known.getStatusCode(), known.getReason(), known.getHeaders());
		}
		return new Problem(HttpStatus.INTERNAL_SERVER_ERROR, null, HttpHeaders.EMPTY);
	}

	private Mono<byte[]> html(ServerWebExchange exchange, Problem problem) {
		Mono<Optional<Viewer>> viewer = (problem.status().is5xxServerError()) ? Mono.just(Optional.empty())
				: this.viewers.of(exchange)
					.map(Optional::of)
					.timeout(VIEWER_WAIT)
					.onErrorComplete()
					.defaultIfEmpty(Optional.empty());
		return viewer.flatMap((known) -> this.frames.of(exchange, problem.heading(), known, null))
			.map((frame) -> Html.bytes(this.page, view(frame, problem)));
	}

	private static ErrorView view(Frame frame, Problem problem) {
		return new ErrorView(frame, problem.status().value(), problem.heading(), problem.explanation(),
				problem.headers().getFirst(HttpHeaders.RETRY_AFTER));
	}

	private byte[] json(Problem problem) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("type", "about:blank");
		body.put("title", problem.heading());
		body.put("status", problem.status().value());
		body.put("detail", problem.explanation());
		return this.json.writeValueAsBytes(body);
	}

	private static Mono<Void> write(ServerHttpResponse response, MediaType type, byte[] body) {
		response.getHeaders().setContentType(type);
		response.getHeaders().setContentLength(body.length);
		DataBuffer buffer = response.bufferFactory().wrap(body);
		return response.writeWith(Mono.just(buffer));
	}

	/** What went wrong, for whoever asked. */
	private record Problem(HttpStatusCode status, @Nullable String reason, HttpHeaders headers) {

		String heading() {
			return switch (this.status.value()) {
				case 400 -> "That request makes no sense";
				case 403 -> "Not allowed";
				case 404 -> "Not found";
				case 405 -> "Not possible here";
				case 413 -> "Too large";
				case 429 -> "Too many tries";
				case 503 -> "One moment, please";
				default -> this.status.is5xxServerError() ? "Something went wrong" : "That did not work";
			};
		}

		String explanation() {
			if (this.reason != null) {
				return this.reason;
			}
			return switch (this.status.value()) {
				case 404 -> "There is nothing at this address.";
				case 405 -> "This address cannot be used in this way.";
				case 413 -> "What you sent is larger than anything this site takes.";
				default -> this.status.is5xxServerError()
						? "The mistake is ours, and it has been noted. Try again in a moment."
						: "Go back and try again.";
			};
		}

	}

	private record ErrorView(Frame frame, int status, String heading, String explanation, @Nullable String retryAfter) {
	}

}
