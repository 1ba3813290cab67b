package live.retwis.post;

import live.retwis.log.CommitLog;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Updates the number of replies to a post in open pages. */
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

	/** Logs the number of replies after a post got another one. */
	public Mono<Void> tell(String postId) {
		return this.posts.find(postId)
			.flatMap((replied) -> this.replies.count(postId)
				.flatMap((count) -> this.log.counted(postId, replied.post().authorId(), "replies", count)))
			.then();
	}

	/**
	 * Removes a deleted post from the replies of the post that it replied to.
	 * @return id of the post that it replied to; empty for none
	 */
	public Mono<String> withdraw(String postId) {
		return this.posts.repliedTo(postId).flatMap((parent) -> this.replies.remove(parent, postId).thenReturn(parent));
	}

}
