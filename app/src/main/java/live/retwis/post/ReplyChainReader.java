package live.retwis.post;

import java.util.List;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.restriction.HiddenAuthors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** What a post replies to, what that replies to, and so on. */
@Component
public class ReplyChainReader {

	/**
	 * Most posts above a post: as many as its page shows. Longer chains are cut here.
	 * Each step is one read.
	 */
	static final int MOST = 20;

	private final RenderedPosts posts;

	ReplyChainReader(RenderedPosts posts) {
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
	 * nearest first. Ends at a deleted post of which nobody knows what it replied to, or
	 * at one that only the archive has, which is away. If that is this post, it fails
	 * with {@link ArchiveAwayException}.
	 */
	Mono<List<Link>> links(String postId) {
		return link(postId).flux()
			.expand((link) -> Mono.justOrEmpty(link.replyTo())
				.flatMap(this::link)
				.onErrorResume(ArchiveAwayException.class,
						(away) -> OlderPostsAbsence.without(link).then(Mono.empty())))
			.take(MOST)
			.collectList();
	}

	private Mono<Link> link(String postId) {
		return this.posts.find(postId)
			.map((post) -> new Link(post, post.post().replyTo()))
			.switchIfEmpty(this.posts.repliedTo(postId).map((replyTo) -> new Link(null, replyTo)));
	}

	/**
	 * A post of the chain.
	 *
	 * @param post null when it is deleted
	 * @param replyTo id of the post that it replies to; null for none
	 */
	record Link(@Nullable RenderedPost post, @Nullable String replyTo) {

		boolean isHidden(HiddenAuthors hidden) {
			return this.post != null && this.post.isHidden(hidden);
		}

	}

}
