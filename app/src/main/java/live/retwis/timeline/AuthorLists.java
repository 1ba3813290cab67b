package live.retwis.timeline;

import java.util.List;
import java.util.Set;

import live.retwis.follow.Followers;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.log.Position;
import live.retwis.post.Post;
import live.retwis.post.PostDelivery;
import live.retwis.post.PostRepository;
import live.retwis.post.ReplyRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The lists that are the author's own affair, and the decision how a post comes to
 * everybody else's.
 */
@Component
class AuthorLists implements PostDelivery, IntentFinisher {

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final TimelineRebuild rebuild;

	private final ReplyRepository replies;

	private final PostRepository posts;

	private final PostRemoval removal;

	private final Followers followers;

	private final TimelineProperties properties;

	AuthorLists(TimelineRepository timelines, HomeTimelines homes, TimelineRebuild rebuild, ReplyRepository replies,
			PostRepository posts, PostRemoval removal, Followers followers, TimelineProperties properties) {
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
		this.replies = replies;
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
		return deliver(post, position, pulled).then(withdrawIfGone(post.id(), post.authorId()));
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

	/** Puts it into the lists that are its author's own affair. */
	Mono<Void> deliver(Post post, Position position, boolean pulled) {
		long millis = position.millis();
		Mono<Void> reply = (post.replyTo() != null) ? this.replies.add(post.replyTo(), post.id(), millis)
				: Mono.empty();
		Mono<Void> toPull = pulled ? this.timelines.addToPulledOf(post.authorId(), post.id(), millis) : Mono.empty();
		Mono<List<String>> home = this.homes.add(List.of(post.authorId()), post.id(), millis);
		return Mono
			.zip(home,
					Mono.when(toPull.then(this.timelines.addToPostsOf(post.authorId(), post.id(), millis)), reply)
						.thenReturn(true))
			.flatMap((done) -> done.getT1().isEmpty() ? Mono.empty() : this.rebuild.run(post.authorId()).then(home))
			.then();
	}

}
