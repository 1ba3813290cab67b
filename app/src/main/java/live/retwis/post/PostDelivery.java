package live.retwis.post;

import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

/** How posts reach their readers. */
public interface PostDelivery {

	/**
	 * Whether readers pull what the author posts now, because pushing it to all of them
	 * would be too much work. This is decided once for each post.
	 */
	Mono<Boolean> isPulled(String authorId);

	/** Most posts in the public timeline. */
	int publicTimelineSize();

	/**
	 * Called when a post is committed. If the post was deleted meanwhile, it is removed
	 * from the lists again.
	 * @return done when the author's own lists have the post, so that the author sees it
	 * on the next page
	 */
	Mono<Void> committed(Post post, LogPosition position, boolean pulled);

	/**
	 * Whether the list of the author's own posts has the post. A list that cannot be read
	 * may have it.
	 */
	Mono<Boolean> isInOwnList(String postId, String authorId);

}
