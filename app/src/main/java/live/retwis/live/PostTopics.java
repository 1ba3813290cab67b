package live.retwis.live;

import java.util.ArrayList;
import java.util.List;

import live.retwis.post.RenderedPost;
import live.retwis.post.ReplyChain;
import live.retwis.text.PostText;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What a post is about: its tags, and the conversations that it belongs to. These are its
 * own and those of all posts above it.
 */
@Component
class PostTopics {

	private final ReplyChain chain;

	PostTopics(ReplyChain chain) {
		this.chain = chain;
	}

	Mono<List<String>> of(RenderedPost post) {
		return this.chain.from(post.post().id()).map((conversations) -> {
			List<String> topics = new ArrayList<>(conversations);
			PostText.of(post.post().body()).tags().forEach((tag) -> topics.add(tag(tag)));
			return topics;
		});
	}

	/** The topic of a folded tag. */
	static String tag(String foldedTag) {
		return "#" + foldedTag;
	}

	/** The topic of a post and all replies below it. */
	static String conversation(String postId) {
		return postId;
	}

}
