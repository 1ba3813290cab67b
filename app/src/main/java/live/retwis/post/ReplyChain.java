package live.retwis.post;

import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** What a post replies to, what that replies to, and so on. */
@Component
public class ReplyChain {

	/** Most posts of a chain. A longer conversation counts as one that begins there. */
	public static final int MOST = 100;

	private final PostRepository posts;

	ReplyChain(PostRepository posts) {
		this.posts = posts;
	}

	/**
	 * The ids of a post and of the posts above it, nearest first. A deleted post still
	 * tells what it replied to.
	 */
	public Mono<List<String>> from(String postId) {
		return Mono.just(postId).expand(this::repliedTo).take(MOST).collectList();
	}

	private Mono<String> repliedTo(String postId) {
		return this.posts.find(postId)
			.map((post) -> Mono.justOrEmpty(post.post().replyTo()))
			.defaultIfEmpty(this.posts.repliedTo(postId))
			.flatMap((replied) -> replied);
	}

	/**
	 * A post and the posts above it that are there, nearest first; ends at one that is
	 * deleted.
	 */
	Mono<List<RenderedPost>> posts(String postId, int most) {
		return this.posts.find(postId)
			.flux()
			.expand((post) -> Mono.justOrEmpty(post.post().replyTo()).flatMap(this.posts::find))
			.take(most)
			.collectList();
	}

}
