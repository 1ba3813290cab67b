package live.retwis.export;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/** One kind of data in the file with a user's own data, read page by page. */
public interface ExportPart {

	/** Places of a list that one page reads. */
	int PAGE = 200;

	/** Name of the part in the file. */
	String name();

	/**
	 * Reads a page of the list.
	 * @param after the last place of the page before; empty for the first page
	 * @return at most {@value #PAGE} places
	 */
	Mono<List<Cursor>> places(String userId, Optional<Cursor> after);

	/**
	 * The items at these places, as they are written. Places without an item, such as
	 * deleted posts, are left out.
	 */
	Mono<? extends List<?>> items(List<Cursor> places);

}
