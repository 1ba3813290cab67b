package live.retwis.reaction;

import java.util.List;

import live.retwis.post.PostCountWriter;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes what a user did to the posts of others, and updates their counts. */
@Component
@Order(RemovalStep.LAST)
class ReactionsRemovalStep implements RemovalStep {

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 16;

	private final ReactionRepository reactions;

	private final PostCountWriter counts;

	ReactionsRemovalStep(ReactionRepository reactions, PostCountWriter counts) {
		this.reactions = reactions;
		this.counts = counts;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> this.reactions.posts(reaction, userId, PAGE)
				.flatMap((posts) -> posts.isEmpty() ? Mono.just(true)
						: remove(reaction, posts, userId).thenReturn(false)))
			.all(Boolean::booleanValue);
	}

	/**
	 * Takes back reactions to some posts, with one log entry for all of them. The user's
	 * own list comes last: a post in it is found again after a crash.
	 */
	private Mono<Void> remove(Reaction reaction, List<String> postIds, String userId) {
		return Flux.fromIterable(postIds)
			.flatMap(
					(postId) -> this.reactions.withdraw(reaction, postId, userId)
						.then(this.counts.store(postId, reaction.count(), this.reactions.count(reaction, postId))),
					CONCURRENCY)
			.then(this.counts.tellOfMany(userId, postIds))
			.then(this.reactions.forget(reaction, postIds, userId));
	}

}
