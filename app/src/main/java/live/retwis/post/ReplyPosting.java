package live.retwis.post;

import live.retwis.log.CommitLog;
import live.retwis.restriction.BlockedException;
import live.retwis.restriction.RestrictionRepository;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes replies, but none between users of whom one has blocked the other. A reply that
 * is published although a block was faster is deleted, if not here, then by
 * {@link PostAfterBlockRemover}.
 */
@Component
class ReplyPosting {

	private final Posting posting;

	private final RestrictionRepository restrictions;

	private final PostDeletion deletion;

	ReplyPosting(Posting posting, RestrictionRepository restrictions, PostDeletion deletion) {
		this.posting = posting;
		this.restrictions = restrictions;
		this.deletion = deletion;
	}

	/**
	 * Makes a reply as {@link Posting#post} makes a post. Looks for a block before that,
	 * and again after it, because a block may come at the same time. A reply that was
	 * made before the block stays, and the form that made it is answered as it was then.
	 * @return the reply's id; {@link BlockedException} when one of the two has blocked
	 * the other; what {@link Posting#post} fails with
	 */
	Mono<String> post(Viewer author, String body, Post replied, String once) {
		Mono<Void> noBlock = this.restrictions.requireNoBlock(author.id(), replied.authorId());
		return noBlock.then(this.posting.post(author, body, replied, once))
			.delayUntil((id) -> noBlock)
			.onErrorResume(BlockedException.class,
					(blocked) -> madeBefore(author, body, replied, once).switchIfEmpty(Mono.error(blocked)));
	}

	/**
	 * A reply that was made after the block is deleted now, and not only by the workers.
	 */
	private Mono<String> madeBefore(Viewer author, String body, Post replied, String once) {
		return this.posting.findMade(author, body, replied.id(), once)
			.delayUntil((made) -> this.restrictions
				.requireNoBlock(author.id(), replied.authorId(), made.position().millis())
				.onErrorResume(BlockedException.class,
						(blocked) -> this.deletion.delete(made.postId(), author.id()).then(Mono.error(blocked))))
			.map(CommitLog.Commit::postId);
	}

}
