package live.retwis.reaction;

import live.retwis.log.CommitLog;
import live.retwis.post.Post;
import live.retwis.redis.Uncancellable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Lets users react to posts. Two commands: one stores it as pending, one logs it. */
@Component
class Reactions {

	private final ReactionRepository reactions;

	private final CommitLog log;

	Reactions(ReactionRepository reactions, CommitLog log) {
		this.reactions = reactions;
		this.log = log;
	}

	/**
	 * Reacts to a post, or takes that back. Only a change is logged. It goes on when the
	 * caller cancels.
	 * @return done; {@link live.retwis.log.LogBacklog.Overloaded} when too many entries
	 * wait for fan-out
	 */
	Mono<Void> react(Reaction reaction, String userId, Post post, boolean reacts) {
		return Uncancellable.of(this.log.admit()
			.then(Mono.defer(() -> this.reactions.begin(reaction, post.id(), userId, reacts)))
			.filter(Boolean::booleanValue)
			.flatMap((changes) -> this.log.reacted(reaction.type(reacts), userId, post.id(), post.authorId()))
			.then());
	}

}
