package live.retwis.post;

import live.retwis.log.CommitLog;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Tells the streams how many replies a post has, whenever that changes.
 */
@Component
public class ReplyCounts {

	private final PostRepository posts;

	private final ReplyRepository replies;

	private final CommitLog log;

	ReplyCounts(PostRepository posts, ReplyRepository replies, CommitLog log) {
		this.posts = posts;
		this.replies = replies;
		this.log = log;
	}

	/** A post has another reply. */
	public Mono<Void> tell(String postId) {
		return this.posts.find(postId)
			.flatMap((replied) -> this.replies.count(postId)
				.flatMap((count) -> this.log.repliesCounted(postId, replied.post().authorId(), count)))
			.then();
	}

	/**
	 * A post that may have been a reply is deleted.
	 * @return what it replied to; empty when nothing
	 */
	public Mono<String> withdraw(String postId) {
		return this.posts.repliedTo(postId).flatMap((parent) -> this.replies.remove(parent, postId).thenReturn(parent));
	}

}
