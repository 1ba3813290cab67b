package live.retwis.web;

import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * A request cannot be answered as asked. The text is shown to people: it says what is
 * wrong and what to do.
 */
public final class ProblemException extends ResponseStatusException {

	private final transient Localized text;

	private final transient HttpHeaders headers;

	private final @Nullable String mark;

	/** An error with the given status. */
	public ProblemException(HttpStatus status, Localized text) {
		this(status, text, HttpHeaders.EMPTY, null);
	}

	/**
	 * An error with the given status.
	 * @param mark name of a property of the JSON that is true, so that a script knows
	 * this error from others
	 */
	public ProblemException(HttpStatus status, Localized text, String mark) {
		this(status, text, HttpHeaders.EMPTY, mark);
	}

	private ProblemException(HttpStatus status, Localized text, HttpHeaders headers, @Nullable String mark) {
		super(status, text.toString());
		this.text = text;
		this.headers = headers;
		this.mark = mark;
	}

	/** Fails with 404. */
	public static <T> Mono<T> notFound(Localized text) {
		return of(HttpStatus.NOT_FOUND, text);
	}

	/** Fails with 403. */
	public static <T> Mono<T> forbidden(Localized text) {
		return of(HttpStatus.FORBIDDEN, text);
	}

	/** Fails with 503 and tells the client when to try again. */
	public static <T> Mono<T> later(Localized text, int seconds) {
		return later(HttpStatus.SERVICE_UNAVAILABLE, text, seconds);
	}

	/** Fails with 429 and tells the client when to try again. */
	public static <T> Mono<T> tooMany(Localized text, long seconds) {
		return later(HttpStatus.TOO_MANY_REQUESTS, text, seconds);
	}

	private static <T> Mono<T> later(HttpStatus status, Localized text, long seconds) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
		return Mono.error(() -> new ProblemException(status, text, headers, null));
	}

	/** Fails with the given status. */
	public static <T> Mono<T> of(HttpStatus status, Localized text) {
		return Mono.error(() -> new ProblemException(status, text));
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.headers;
	}

	/** The text that people read. */
	Localized text() {
		return this.text;
	}

	/** Name of a property of the JSON that is true; null for none. */
	@Nullable String mark() {
		return this.mark;
	}

}
