package live.retwis.post;

import live.retwis.log.Position;
import reactor.core.publisher.Mono;

/**
 * How posts come to their readers.
 */
public interface PostDelivery {

	/**
	 * Whether readers pull what the author posts now, for it would be too much work to
	 * push it to all of them; it is decided once for each post.
	 */
	Mono<Boolean> isPulled(String authorId);

	/** Posts kept in the public timeline, at most. */
	int publicTimelineSize();

	/**
	 * A post is made. One that was deleted meanwhile is taken out again.
	 * @return done when the author's own lists have it, so that what the author looks at
	 * next shows it already
	 */
	Mono<Void> committed(Post post, Position position, boolean pulled);

}
