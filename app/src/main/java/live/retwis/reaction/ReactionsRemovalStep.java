package live.retwis.reaction;

import java.util.List;

import live.retwis.post.PostCountType;
import live.retwis.post.PostCountWriter;
import live.retwis.redis.DamagedKeyReporter;
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

	/**
	 * So many of the latest reactions are told to open pages. All those of a big account
	 * would fill the log.
	 */
	static final int TOLD = 100;

	private static final int CONCURRENCY = 16;

	private final ReactionRepository reactions;

	private final PostCountWriter counts;

	private final DamagedKeyReporter damaged;

	ReactionsRemovalStep(ReactionRepository reactions, PostCountWriter counts, DamagedKeyReporter damaged) {
		this.reactions = reactions;
		this.counts = counts;
		this.damaged = damaged;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> this.reactions.posts(reaction, userId, PAGE + TOLD)
				.flatMap((posts) -> posts.isEmpty() ? Mono.just(true)
						: remove(reaction, posts, userId).thenReturn(false)))
			.all(Boolean::booleanValue);
	}

	/**
	 * Takes back the earliest reactions, or, when only the latest are left, these.
	 */
	private Mono<Void> remove(Reaction reaction, List<String> postIds, String userId) {
		List<String> untold = postIds.subList(0, Math.max(0, postIds.size() - TOLD));
		return untold.isEmpty() ? removeEach(reaction, postIds, userId) : removeTogether(reaction, untold, userId);
	}

	/**
	 * Writes a log entry for each post. One that cannot be reached now does not keep the
	 * others in the user's list, so no entry is written again and again.
	 */
	private Mono<Void> removeEach(Reaction reaction, List<String> postIds, String userId) {
		return Flux.fromIterable(postIds)
			.flatMapDelayError((postId) -> withdraw(reaction, postId, userId, this.counts::tell)
				.then(this.reactions.forget(reaction, List.of(postId), userId)), CONCURRENCY, CONCURRENCY)
			.then();
	}

	/** Writes one log entry for all posts. */
	private Mono<Void> removeTogether(Reaction reaction, List<String> postIds, String userId) {
		return Flux.fromIterable(postIds)
			.flatMap((postId) -> withdraw(reaction, postId, userId, this.counts::store), CONCURRENCY)
			.then(this.counts.tellOfMany(userId, postIds))
			.then(this.reactions.forget(reaction, postIds, userId))
			.then();
	}

	/**
	 * The user's own list comes later: a post in it is found again after a crash. A post
	 * whose list another program has damaged is passed over.
	 */
	private Mono<Void> withdraw(Reaction reaction, String postId, String userId, Count count) {
		return this.damaged.passOver(getClass().getSimpleName(), this.reactions.withdraw(reaction, postId, userId)
			.then(count.of(postId, reaction.count(), this.reactions.count(reaction, postId))));
	}

	/** Stores a count, and tells of it or not. */
	private interface Count {

		Mono<Void> of(String postId, PostCountType what, Mono<Long> current);

	}

}
