package live.retwis.reaction;

import java.time.Duration;

import live.retwis.post.PostCleanup;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Removes the reactions to a deleted post from the lists of those who reacted. */
@Component
class ReactionPostCleanup implements PostCleanup {

	/** Users processed at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 16;

	private final ReactionRepository reactions;

	ReactionPostCleanup(ReactionRepository reactions) {
		this.reactions = reactions;
	}

	/**
	 * Nothing has to expire later. A worker that adds a reaction finds that the post is
	 * gone, and removes it, see {@link ReactionProcessor}. What the archive has of the
	 * list, it forgets with the post.
	 */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> removeSome(reaction, postId).repeat().takeUntil(Boolean::booleanValue))
			.then();
	}

	/** Returns whether nothing was left to remove. */
	private Mono<Boolean> removeSome(Reaction reaction, String postId) {
		return this.reactions.users(reaction, postId, PAGE)
			.flatMap((users) -> Flux.fromIterable(users)
				.flatMap((userId) -> this.reactions.removeOfDeleted(reaction, postId, userId), CONCURRENCY)
				.then(Mono.just(users.isEmpty())));
	}

}
