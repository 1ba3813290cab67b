package live.retwis.post;

import java.util.List;

import live.retwis.archive.ArchiveAwayException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** What a post replies to, what that replies to, and so on. */
@Component
public class ReplyChain {

	/**
	 * Most posts above a post: as many as its page shows. Longer chains are cut here.
	 * Each step is one read.
	 */
	static final int MOST = 20;

	private final RenderedPosts posts;

	ReplyChain(RenderedPosts posts) {
		this.posts = posts;
	}

	/**
	 * The ids of a post and of the posts above it, nearest first. A deleted post still
	 * tells what it replied to.
	 */
	public Mono<List<String>> from(String postId) {
		return Mono.just(postId).expand(this.posts::repliedTo).take(1 + MOST).collectList();
	}

	/**
	 * What stands above a post that replies to this one: this post and those above it,
	 * nearest first. Ends at one that is deleted, or that only the archive has, which is
	 * away. If that is this post, it fails with {@link ArchiveAwayException}.
	 */
	Mono<List<RenderedPost>> posts(String postId) {
		return this.posts.find(postId)
			.flux()
			.expand((post) -> Mono.justOrEmpty(post.post().replyTo())
				.flatMap(this.posts::find)
				.onErrorComplete(ArchiveAwayException.class))
			.take(MOST)
			.collectList();
	}

}
