package live.retwis.reaction;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.post.Post;
import live.retwis.post.PostAction;
import live.retwis.post.PostActions;
import live.retwis.web.Viewer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** On the page of a post: who reacts to it, and the viewer's own reactions. */
@Component
class ReactionActions implements PostActions {

	private final ReactionRepository reactions;

	ReactionActions(ReactionRepository reactions) {
		this.reactions = reactions;
	}

	@Override
	public Mono<List<PostAction>> of(Post post, Optional<Viewer> viewer) {
		return Flux.fromArray(Reaction.values())
			.concatMap((reaction) -> Mono.justOrEmpty(viewer)
				.flatMap((user) -> this.reactions.of(reaction, user.id(), List.of(post.id())))
				.map((mine) -> Stream.of(button(reaction, post, mine.isEmpty()), list(reaction, post)))
				.defaultIfEmpty(Stream.of(list(reaction, post))))
			.flatMapIterable(Stream::toList)
			.collectList();
	}

	private static PostAction button(Reaction reaction, Post post, boolean reacts) {
		String action = reaction.action(reacts);
		return new PostAction(reacts ? reaction.texts().react() : reaction.texts().undo(),
				"/posts/" + post.id() + "/" + action, false);
	}

	private static PostAction list(Reaction reaction, Post post) {
		return new PostAction(reaction.texts().list(), "/posts/" + post.id() + "/" + reaction.list(), true);
	}

}
