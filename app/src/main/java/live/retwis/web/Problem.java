package live.retwis.web;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * An answer that is not what was asked for. The text is shown to people: it says what is
 * wrong and what to do.
 */
public final class Problem extends ResponseStatusException {

	private final transient Localized text;

	/** Any status. */
	public Problem(HttpStatus status, Localized text) {
		super(status, text.in(Language.EN));
		this.text = text;
	}

	/** 404. */
	public static <T> Mono<T> notFound(Localized text) {
		return of(HttpStatus.NOT_FOUND, text);
	}

	/** 403. */
	public static <T> Mono<T> forbidden(Localized text) {
		return of(HttpStatus.FORBIDDEN, text);
	}

	/** Any status. */
	public static <T> Mono<T> of(HttpStatus status, Localized text) {
		return Mono.error(() -> new Problem(status, text));
	}

	/** What people read. */
	Localized text() {
		return this.text;
	}

}
