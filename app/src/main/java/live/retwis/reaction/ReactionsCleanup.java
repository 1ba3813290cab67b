package live.retwis.reaction;

import java.time.Duration;

import live.retwis.post.PostCleanup;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Lets go of the reactions to a deleted post. */
@Component
class ReactionsCleanup implements PostCleanup {

	private final ReactionRepository reactions;

	ReactionsCleanup(ReactionRepository reactions) {
		this.reactions = reactions;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> this.reactions.forget(reaction, postId, after))
			.then();
	}

}
