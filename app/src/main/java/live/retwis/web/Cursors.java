package live.retwis.web;

import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The cursor in a page's address.
 */
public final class Cursors {

	/** Name of the query parameter. */
	public static final String PARAMETER = "before";

	private Cursors() {
	}

	/**
	 * Reads it for that list.
	 * @return empty when the address has none
	 * @throws ProblemException 400 when it is none, or another list's
	 */
	public static Optional<Cursor> of(ServerRequest request, String key) {
		return request.queryParam(PARAMETER)
			.map((text) -> Cursor.parse(text, key)
				.orElseThrow(() -> new ProblemException(HttpStatus.BAD_REQUEST, Message.of("error.cursor"))));
	}

}
