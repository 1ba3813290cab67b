package live.retwis.timeline;

import java.util.List;

import live.retwis.post.PostRepository;
import live.retwis.post.RenderedPost;
import live.retwis.redis.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What an entry of the log means for the lists derived from it. Each step can be repeated
 * and finds its work done.
 */
@Component
class FanOut {

	private final PostDelivery delivery;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final FollowerTimelines followerTimelines;

	private final FollowedPosts followedPosts;

	private final ReplyCounts replyCounts;

	private final PostRepository posts;

	FanOut(PostDelivery delivery, TimelineRepository timelines, HomeTimelines homes,
			FollowerTimelines followerTimelines, FollowedPosts followedPosts, ReplyCounts replyCounts,
			PostRepository posts) {
		this.delivery = delivery;
		this.timelines = timelines;
		this.homes = homes;
		this.followerTimelines = followerTimelines;
		this.followedPosts = followedPosts;
		this.replyCounts = replyCounts;
		this.posts = posts;
	}

	/** Brings all lists in line with an entry. */
	Mono<Void> apply(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> this.posts.find(entry.post()).flatMap((post) -> add(entry, post));
			case DELETE -> delete(entry);
			case FOLLOW, UNFOLLOW -> this.followedPosts.apply(entry);
			default -> Mono.empty();
		};
	}

	private Mono<Void> add(LogEntry entry, RenderedPost made) {
		String replyTo = made.post().replyTo();
		return this.delivery.committed(made.post(), entry.position(), entry.pulled())
			.then(entry.pulled() ? Mono.empty() : this.followerTimelines.spread(entry))
			.then((replyTo != null) ? this.replyCounts.tell(replyTo) : Mono.empty());
	}

	/**
	 * The post is marked already, so that a late add of another worker shows nothing. One
	 * that was pulled is in no follower's timeline.
	 */
	private Mono<Void> delete(LogEntry entry) {
		String postId = entry.post();
		return Mono
			.when(this.timelines.removeFromPublic(postId), this.timelines.removeFromPostsOf(entry.user(), postId),
					this.homes.remove(entry.user(), List.of(postId)), this.replyCounts.withdraw(postId))
			.then(this.timelines.removeFromPulledOf(entry.user(), postId))
			.flatMap((pulled) -> pulled ? Mono.empty() : this.followerTimelines.spread(entry));
	}

}
