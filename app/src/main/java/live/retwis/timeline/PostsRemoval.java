package live.retwis.timeline;

import java.util.function.Function;

import live.retwis.post.PostCountUpdates;
import live.retwis.post.PostDeletion;
import live.retwis.post.ReplyCountUpdater;
import live.retwis.redis.Cursor;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Erases the user's posts and removes them from all lists. There is no log entry for each
 * post, because streams and caches already know that the account is gone. One entry for
 * many posts tells which other posts have lost a reply or a repost.
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

	private final ReplyCountUpdater replyCounts;

	private final PostCountUpdates counts;

	private final PostRemoval posts;

	PostsRemoval(TimelineRepository timelines, PostDeletion deletion, ReplyCountUpdater replyCounts,
			PostCountUpdates counts, PostRemoval posts) {
		this.timelines = timelines;
		this.deletion = deletion;
		this.replyCounts = replyCounts;
		this.counts = counts;
		this.posts = posts;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.timelines.oldestOf(userId, START, PAGE)
			.flatMap((page) -> Flux.fromIterable(page)
				.flatMap((place) -> remove(userId, place.member()), CONCURRENCY)
				.distinct()
				.collectList()
				.filter((related) -> !related.isEmpty())
				.flatMap((related) -> this.counts.tellOfMany(userId, related))
				.thenReturn(page.isEmpty()));
	}

	/** Returns the ids of the posts that it replied to or reposted. */
	private Flux<String> remove(String userId, String postId) {
		return this.deletion.erase(postId, userId)
			.collectList()
			.delayUntil((related) -> this.replyCounts.withdrawUntold(postId))
			.delayUntil((related) -> this.posts.remove(userId, postId))
			.flatMapIterable(Function.identity());
	}

}
