package live.retwis.post;

import java.time.Duration;

import reactor.core.publisher.Mono;

/**
 * Removes what a feature stores for a post, after the post was deleted. Each feature that
 * stores something implements it.
 */
public interface PostCleanup {

	/**
	 * Lets the post's data expire. It is not removed at once, because writes of the post
	 * may be in progress. Running it again changes nothing.
	 */
	Mono<Void> forget(String postId, Duration after);

}
