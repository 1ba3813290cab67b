package live.retwis.post;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/**
 * Lists the users who did something to a post, such as liking it. Each feature that has
 * such a list implements this. The list has a page of its own, and the page of the post
 * has a link to it.
 */
public interface ReactingUsersList {

	/** Last part of the address of the page. */
	String name();

	/** The link to the page, and the heading of its list. */
	Message heading();

	/** The title of the page for a post by this author. */
	Message title(String author);

	/** What the page says when nobody did it. */
	Message empty();

	/** Key of the list of a post. */
	String key(String postId);

	/**
	 * The users who did it to the post, the latest first: at most this many before a
	 * cursor, or from the beginning of the list.
	 */
	Mono<List<Cursor>> read(RenderedPost post, Optional<Cursor> before, int count);

}
