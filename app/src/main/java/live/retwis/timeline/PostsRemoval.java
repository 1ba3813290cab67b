package live.retwis.timeline;

import live.retwis.post.PostDeletion;
import live.retwis.post.ReplyCounts;
import live.retwis.redis.Cursor;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Erases the user's posts and removes them from all lists. There is no log entry for each
 * post, because streams and caches already know that the account is gone.
 */
@Component
@Order(RemovalStep.POSTS)
class PostsRemoval implements RemovalStep {

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 16;

	private static final Cursor START = new Cursor(0, "");

	private final TimelineRepository timelines;

	private final PostDeletion deletion;

	private final ReplyCounts replyCounts;

	private final PostRemoval posts;

	PostsRemoval(TimelineRepository timelines, PostDeletion deletion, ReplyCounts replyCounts, PostRemoval posts) {
		this.timelines = timelines;
		this.deletion = deletion;
		this.replyCounts = replyCounts;
		this.posts = posts;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.timelines.oldestOf(userId, START, PAGE)
			.flatMap((page) -> Flux.fromIterable(page)
				.flatMap((place) -> remove(userId, place.member()), CONCURRENCY)
				.then(Mono.just(page.isEmpty())));
	}

	private Mono<Boolean> remove(String userId, String postId) {
		return this.deletion.erase(postId, userId)
			.then(this.replyCounts.withdraw(postId))
			.then(this.posts.remove(userId, postId));
	}

}
