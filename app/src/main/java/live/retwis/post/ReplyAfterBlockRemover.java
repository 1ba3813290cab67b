package live.retwis.post;

import live.retwis.block.BlockedException;
import live.retwis.block.RestrictionRepository;
import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes a reply that was committed after one of the two users had blocked the other.
 * The request that made it cannot be sure to do so, because its commit may arrive when
 * the request is over. A block that came after the commit leaves the reply alone.
 */
@Component
class ReplyAfterBlockRemover implements PostListener {

	private final RepliedPostAuthor repliedAuthor;

	private final RestrictionRepository restrictions;

	private final PostDeletion deletion;

	ReplyAfterBlockRemover(RepliedPostAuthor repliedAuthor, RestrictionRepository restrictions, PostDeletion deletion) {
		this.repliedAuthor = repliedAuthor;
		this.restrictions = restrictions;
		this.deletion = deletion;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return this.repliedAuthor.of(post)
			.flatMap((replied) -> this.restrictions.requireNoBlock(post.authorId(), replied, position.millis()))
			.onErrorResume(BlockedException.class,
					(blocked) -> this.deletion.delete(post.id(), post.authorId()).then());
	}

}
