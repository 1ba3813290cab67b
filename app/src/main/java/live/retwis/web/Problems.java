package live.retwis.web;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Answers that are not what was asked for. The text is shown to people: it says what is
 * wrong and what to do.
 */
public final class Problems {

	private Problems() {
	}

	/** 404. */
	public static <T> Mono<T> notFound(String text) {
		return of(HttpStatus.NOT_FOUND, text);
	}

	/** 400. */
	public static <T> Mono<T> badRequest(String text) {
		return of(HttpStatus.BAD_REQUEST, text);
	}

	/** 403. */
	public static <T> Mono<T> forbidden(String text) {
		return of(HttpStatus.FORBIDDEN, text);
	}

	/** Any status. */
	public static <T> Mono<T> of(HttpStatus status, String text) {
		return Mono.error(() -> new ResponseStatusException(status, text));
	}

}
