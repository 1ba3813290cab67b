package live.retwis.reaction;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.post.Post;
import live.retwis.post.PostMenuContributor;
import live.retwis.post.PostMenuItem;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** On the page of a post: links to the lists of those who react to it. */
@Component
@Order(1)
class ReactionListMenuContributor implements PostMenuContributor {

	@Override
	public Mono<List<PostMenuItem>> of(Post post, Optional<Viewer> viewer) {
		return Mono.just(Stream.of(Reaction.values()).map((reaction) -> list(reaction, post)).toList());
	}

	private static PostMenuItem list(Reaction reaction, Post post) {
		return new PostMenuItem(reaction.texts().list(), "/posts/" + post.id() + "/" + reaction.list(), true);
	}

}
