package live.retwis.post;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Updates the number of replies to a post. */
@Component
public class ReplyCountUpdater implements PostListener {

	private final RenderedPosts posts;

	private final PostRepository stored;

	private final ReplyRepository replies;

	private final PostCountWriter counts;

	private final PostDeletion deletion;

	ReplyCountUpdater(RenderedPosts posts, PostRepository stored, ReplyRepository replies, PostCountWriter counts,
			PostDeletion deletion) {
		this.posts = posts;
		this.stored = stored;
		this.replies = replies;
		this.counts = counts;
		this.deletion = deletion;
	}

	/**
	 * Called when this post is already in the list of replies of its parent post. If the
	 * parent was deleted meanwhile, the list expires.
	 */
	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return Mono.justOrEmpty(post.replyTo())
			.flatMap((parent) -> tell(parent).then(this.stored.isThere(parent))
				.flatMap((there) -> there ? Mono.empty() : this.replies.forget(parent, PostCleanup.REMEMBERED)
					.then(this.deletion.deleteIfBack(parent))));
	}

	@Override
	public Mono<Void> gone(LogEntry entry) {
		return Mono.justOrEmpty(entry.replyTo())
			.flatMap((parent) -> this.replies.remove(parent, entry.post()).then(tell(parent)));
	}

	/** Updates the number of replies after a post got or lost one. */
	public Mono<Void> tell(String postId) {
		return this.counts.tell(postId, PostCountType.REPLIES, this.replies.count(postId));
	}

	/**
	 * Removes a deleted post from the replies of the post that it replied to, and stores
	 * their number. After a bulk change, call {@link PostCountWriter#tellOfMany} once.
	 */
	public Mono<Void> withdrawUntold(String postId) {
		return withdraw(postId)
			.flatMap((parent) -> this.counts.store(parent, PostCountType.REPLIES, this.replies.count(parent)));
	}

	/**
	 * Removes a post from the replies of the post that it replied to, also if nothing is
	 * stored of it.
	 * @return id of the post that it replied to; empty for none
	 */
	public Mono<String> withdraw(Post post) {
		return Mono.justOrEmpty(post.replyTo()).delayUntil((parent) -> this.replies.remove(parent, post.id()));
	}

	/**
	 * Removes a deleted post from the replies of the post that it replied to.
	 * @return id of the post that it replied to; empty for none
	 */
	public Mono<String> withdraw(String postId) {
		return this.posts.repliedTo(postId).flatMap((parent) -> this.replies.remove(parent, postId).thenReturn(parent));
	}

}
