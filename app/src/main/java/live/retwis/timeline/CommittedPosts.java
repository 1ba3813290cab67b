package live.retwis.timeline;

import java.util.Set;

import live.retwis.follow.Followers;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.log.Position;
import live.retwis.post.Post;
import live.retwis.post.PostDelivery;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Delivers a post to its author's own lists as soon as it is committed, so that the
 * author sees it at once, and decides how it comes to everybody else's.
 */
@Component
class CommittedPosts implements PostDelivery, IntentFinisher {

	private final AuthorLists lists;

	private final PostRepository posts;

	private final PostRemoval removal;

	private final Followers followers;

	private final TimelineProperties properties;

	CommittedPosts(AuthorLists lists, PostRepository posts, PostRemoval removal, Followers followers,
			TimelineProperties properties) {
		this.lists = lists;
		this.posts = posts;
		this.removal = removal;
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
	public Mono<Void> committed(Post post, Position position, boolean pulled) {
		return this.lists.deliver(post, position, pulled).then(withdrawIfGone(post.id(), post.authorId()));
	}

	/** Its deletion may have passed here before. */
	private Mono<Void> withdrawIfGone(String postId, String authorId) {
		return Mono.defer(() -> this.posts.isThere(postId))
			.flatMap((there) -> there ? Mono.empty() : this.removal.remove(authorId, postId).then());
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.DELIVERY);
	}

	/** The workers deliver it, too; what is left is what may have come too late. */
	@Override
	public Mono<Void> finish(Intent intent) {
		return withdrawIfGone(intent.subject(), intent.detail());
	}

}
