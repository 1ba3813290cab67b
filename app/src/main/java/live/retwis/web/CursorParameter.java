package live.retwis.web;

import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Reads the cursor from a page's address.
 */
public final class CursorParameter {

	/** Name of the query parameter. */
	public static final String PARAMETER = "before";

	private CursorParameter() {
	}

	/** Whether a request has a cursor, so that it asks for an older page. */
	public static boolean isGiven(ServerRequest request) {
		return request.queryParam(PARAMETER).isPresent();
	}

	/**
	 * The cursor of a request for a page of the list.
	 * @param key the Redis key of the list
	 * @return empty when the address has no cursor
	 * @throws ProblemException 400 when the cursor cannot be read or belongs to another
	 * list
	 */
	public static Optional<Cursor> of(ServerRequest request, String key) {
		return request.queryParam(PARAMETER)
			.map((text) -> Cursor.parse(text, key)
				.orElseThrow(() -> new ProblemException(HttpStatus.BAD_REQUEST, Message.of("error.cursor"))));
	}

}
