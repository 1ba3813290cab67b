package live.retwis.post;

import java.time.Duration;

import reactor.core.publisher.Mono;

/**
 * Removes what a feature stores for a post, after the post was deleted. Each feature that
 * stores something implements it.
 */
public interface PostCleanup {

	/**
	 * How long a deleted post is still known as deleted, for writes that are in progress.
	 */
	Duration REMEMBERED = Duration.ofDays(1);

	/**
	 * Lets the post's data expire. It is removed at once only if writes of it that are in
	 * progress find out by themselves that the post is gone. Running it again changes
	 * nothing.
	 */
	Mono<Void> forget(String postId, Duration after);

}
