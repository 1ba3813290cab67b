package live.retwis.reaction;

import live.retwis.post.PostCountUpdates;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes what a user did to the posts of others, and updates their counts. */
@Component
@Order(RemovalStep.LAST)
class ReactionsRemoval implements RemovalStep {

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 16;

	private final ReactionRepository reactions;

	private final PostCountUpdates counts;

	ReactionsRemoval(ReactionRepository reactions, PostCountUpdates counts) {
		this.reactions = reactions;
		this.counts = counts;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> this.reactions.posts(reaction, userId, PAGE)
				.flatMap((posts) -> Flux.fromIterable(posts)
					.flatMap((postId) -> remove(reaction, postId, userId), CONCURRENCY)
					.then(Mono.just(posts.isEmpty()))))
			.all(Boolean::booleanValue);
	}

	/** The user's own list comes last: a post in it is found again after a crash. */
	private Mono<Void> remove(Reaction reaction, String postId, String userId) {
		return this.reactions.withdraw(reaction, postId, userId)
			.then(this.counts.tell(postId, reaction.count(), this.reactions.count(reaction, postId)))
			.then(this.reactions.remove(reaction, postId, userId));
	}

}
