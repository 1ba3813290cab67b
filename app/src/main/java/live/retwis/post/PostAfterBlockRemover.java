package live.retwis.post;

import live.retwis.log.LogPosition;
import live.retwis.restriction.BlockedException;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes a reply or a repost that was committed after one of the two users had blocked
 * the other. The request that made it cannot be sure to do so, because its commit may
 * arrive when the request is over. A block that came after the commit deletes nothing.
 */
@Component
class PostAfterBlockRemover implements PostListener {

	private final RepliedPostAuthor repliedAuthor;

	private final RestrictionRepository restrictions;

	private final PostDeletion deletion;

	PostAfterBlockRemover(RepliedPostAuthor repliedAuthor, RestrictionRepository restrictions, PostDeletion deletion) {
		this.repliedAuthor = repliedAuthor;
		this.restrictions = restrictions;
		this.deletion = deletion;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return ((post.repostOf() != null) ? this.repliedAuthor.ofReposted(post) : this.repliedAuthor.of(post))
			.flatMap((other) -> this.restrictions.requireNoBlock(post.authorId(), other, position.millis()))
			.onErrorResume(BlockedException.class,
					(blocked) -> this.deletion.delete(post.id(), post.authorId()).then());
	}

}
