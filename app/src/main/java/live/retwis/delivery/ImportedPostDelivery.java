package live.retwis.delivery;

import java.util.List;

import live.retwis.archive.PostArchive;
import live.retwis.post.Post;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelineWriter;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds posts that come from another site to the lists that do not depend on followers. No
 * log entry tells of them. Home timelines have them once they are built anew. A post that
 * was deleted meanwhile is removed again.
 */
@Component
public class ImportedPostDelivery {

	private final TimelineRepository timelines;

	private final HomeTimelineWriter homes;

	private final PostRepository posts;

	private final PostArchive archive;

	ImportedPostDelivery(TimelineRepository timelines, HomeTimelineWriter homes, PostRepository posts,
			PostArchive archive) {
		this.timelines = timelines;
		this.homes = homes;
		this.posts = posts;
		this.archive = archive;
	}

	/**
	 * Whether nobody can tell which posts are archived, because no setting says where.
	 */
	public Mono<Boolean> isArchiveUnnamed() {
		return this.archive.isUnnamed();
	}

	/**
	 * Stores a post, and adds it to its author's own posts. One that has moved to the
	 * archive stays there. Repeating it changes nothing.
	 * @return false when another post has the id, or the post was deleted
	 */
	public Mono<Boolean> add(Post post) {
		return this.archive.findUncached(post.id())
			.hasElement()
			.flatMap((archived) -> archived ? this.posts.isThere(post.id())
					: this.posts.create(post).delayUntil((stored) -> stored ? addToList(post) : Mono.empty()));
	}

	/** Whether a post is stored and not deleted. */
	public Mono<Boolean> isThere(String postId) {
		return this.posts.isThere(postId);
	}

	private Mono<Void> addToList(Post post) {
		return this.timelines.addToPostsOf(post.authorId(), post.id(), post.created())
			.then(ifGone(post.id(), this.timelines.removeFromPostsOf(post.authorId(), post.id())));
	}

	/**
	 * Adds posts to the public timeline, unless it is full and has newer ones.
	 * @param places in the order in which they are added
	 */
	public Mono<Void> publish(List<Cursor> places) {
		return Flux.fromIterable(places)
			.concatMap((place) -> this.timelines.addToPublic(place)
				.then(ifGone(place.member(), this.timelines.removeFromPublic(place.member()))))
			.then();
	}

	private Mono<Void> ifGone(String postId, Mono<Void> step) {
		return Mono.defer(() -> this.posts.isThere(postId)).flatMap((there) -> there ? Mono.empty() : step);
	}

	/** Removes a home timeline. The reader's next page builds it anew. */
	public Mono<Void> forgetHome(String userId) {
		return this.homes.remove(userId);
	}

}
