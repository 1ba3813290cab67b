package live.retwis.delivery;

import java.util.Set;

import live.retwis.follow.FollowerListRepository;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostDelivery;
import live.retwis.post.PostRepository;
import live.retwis.post.ReplyCountUpdater;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.timeline.AuthorAndReplyListWriter;
import live.retwis.timeline.TimelineProperties;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Decides whether the posts of an author are pushed to followers or pulled by readers.
 * Also adds a post to its author's own lists as soon as it is committed, so that the
 * author sees it at once.
 */
@Component
class PushOrPullDelivery implements PostDelivery, IntentRecovery {

	private final AuthorAndReplyListWriter lists;

	private final PostRepository posts;

	private final DeletionFanOut deletions;

	private final ReplyCountUpdater replyCounts;

	private final FollowerListRepository followers;

	private final TimelineProperties properties;

	PushOrPullDelivery(AuthorAndReplyListWriter lists, PostRepository posts, DeletionFanOut deletions,
			ReplyCountUpdater replyCounts, FollowerListRepository followers, TimelineProperties properties) {
		this.lists = lists;
		this.posts = posts;
		this.deletions = deletions;
		this.replyCounts = replyCounts;
		this.followers = followers;
		this.properties = properties;
	}

	@Override
	public Mono<Boolean> isPulled(String authorId) {
		return this.followers.count(authorId).map((count) -> count > this.properties.pushLimit());
	}

	@Override
	public int publicTimelineSize() {
		return this.properties.publicSize();
	}

	@Override
	public Mono<Void> committed(Post post, LogPosition position, boolean pulled) {
		return DamagedKeyReporter.thenInAnyCase(this.lists.deliver(post, position, pulled),
				removeIfGone(post.id(), post.authorId(), this.replyCounts.withdraw(post)));
	}

	@Override
	public Mono<Boolean> isInOwnList(String postId, String authorId) {
		return this.lists.has(authorId, postId)
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.just(true));
	}

	/**
	 * Removes the post again if it was deleted meanwhile, or lost in a fail-over. Its
	 * deletion may have been processed before the post was added.
	 * @param withdrawn removes it from the replies of another post, and names that one
	 */
	private Mono<Void> removeIfGone(String postId, String authorId, Mono<String> withdrawn) {
		return Mono.defer(() -> this.posts.isThere(postId))
			.flatMap((there) -> there ? Mono.empty()
					: this.deletions.removeFromLists(postId, authorId, withdrawn.flatMap(this.replyCounts::tell)));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.DELIVERY);
	}

	/**
	 * Only removes the post if it was deleted. The workers add it to the lists anyway.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		return removeIfGone(intent.subject(), intent.detail(), this.replyCounts.withdraw(intent.subject()));
	}

}
