package live.retwis.notification;

import java.time.Duration;

import live.retwis.account.AccountStateRepository;
import live.retwis.post.DeletedPost;
import live.retwis.post.DeletedPostReaders;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the notifications about a deleted post, so that they do not count as unread:
 * those of its author, of the users whom it mentions, and of the user to whom it replies.
 */
@Component
class NotificationPostCleanup implements PostCleanup {

	private final NotificationWriter writer;

	private final PostRepository posts;

	private final DeletedPostReaders readers;

	private final AccountStateRepository accounts;

	NotificationPostCleanup(NotificationWriter writer, PostRepository posts, DeletedPostReaders readers,
			AccountStateRepository accounts) {
		this.writer = writer;
		this.posts = posts;
		this.readers = readers;
		this.accounts = accounts;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findDeleted(postId)
			.flatMapMany(this::told)
			.distinct()
			.concatMap((userId) -> this.writer.remove(userId, (notification) -> notification.postId().equals(postId)))
			.then();
	}

	/** Those of an author whose account is gone are all removed together. */
	private Flux<String> told(DeletedPost post) {
		return Flux.concat(
				this.accounts.isGone(post.authorId()).filter((gone) -> !gone).map((there) -> post.authorId()),
				this.readers.of(post));
	}

}
