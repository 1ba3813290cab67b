package live.retwis.post;

import java.util.Set;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.log.LogPosition;
import live.retwis.restriction.BlockedException;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes a reply or a repost that was committed after one of the two users had blocked
 * the other. The request that made it cannot be sure to do so, because its commit may
 * arrive when the request is over. A block that came after the commit deletes nothing.
 * While the archive is away, a repost of what only the archive has waits as an intent.
 */
@Component
class PostAfterBlockRemover implements PostListener, IntentRecovery {

	private final RepliedPostAuthor repliedAuthor;

	private final RestrictionRepository restrictions;

	private final PostDeletion deletion;

	private final RenderedPosts posts;

	private final Intents intents;

	PostAfterBlockRemover(RepliedPostAuthor repliedAuthor, RestrictionRepository restrictions, PostDeletion deletion,
			RenderedPosts posts, Intents intents) {
		this.repliedAuthor = repliedAuthor;
		this.restrictions = restrictions;
		this.deletion = deletion;
		this.posts = posts;
		this.intents = intents;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return remove(post, position.millis()).onErrorResume(ArchiveAwayException.class,
				(away) -> this.intents.declare(
						Intent.repeatable(Intent.Kind.REPOST, post.id(), Long.toString(position.millis())),
						Intents.SHORT));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.REPOST);
	}

	@Override
	public Mono<Void> finish(Intent intent) {
		return this.posts.require(intent.subject())
			.flatMap((repost) -> remove(repost, Long.parseLong(intent.detail())));
	}

	private Mono<Void> remove(Post post, long committed) {
		return ((post.repostOf() != null) ? this.repliedAuthor.ofReposted(post) : this.repliedAuthor.of(post))
			.flatMap((other) -> this.restrictions.requireNoBlock(post.authorId(), other, committed))
			.onErrorResume(BlockedException.class,
					(blocked) -> this.deletion.delete(post.id(), post.authorId()).then());
	}

}
