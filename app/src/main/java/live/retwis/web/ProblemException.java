package live.retwis.web;

import live.retwis.i18n.Localized;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * An answer that is not what was asked for. The text is shown to people: it says what is
 * wrong and what to do.
 */
public final class ProblemException extends ResponseStatusException {

	private final transient Localized text;

	private final transient HttpHeaders headers;

	/** Any status. */
	public ProblemException(HttpStatus status, Localized text) {
		this(status, text, HttpHeaders.EMPTY);
	}

	private ProblemException(HttpStatus status, Localized text, HttpHeaders headers) {
		super(status, text.toString());
		this.text = text;
		this.headers = headers;
	}

	/** 404. */
	public static <T> Mono<T> notFound(Localized text) {
		return of(HttpStatus.NOT_FOUND, text);
	}

	/** 403. */
	public static <T> Mono<T> forbidden(Localized text) {
		return of(HttpStatus.FORBIDDEN, text);
	}

	/** 503, and when to try again. */
	public static <T> Mono<T> later(Localized text, int seconds) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, Integer.toString(seconds));
		return Mono.error(() -> new ProblemException(HttpStatus.SERVICE_UNAVAILABLE, text, headers));
	}

	/** Any status. */
	public static <T> Mono<T> of(HttpStatus status, Localized text) {
		return Mono.error(() -> new ProblemException(status, text));
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.headers;
	}

	/** What people read. */
	Localized text() {
		return this.text;
	}

}
