package live.retwis.notification;

import java.time.Duration;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.post.DeletedPost;
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

	private final UsernameRepository usernames;

	private final AccountStateRepository accounts;

	NotificationPostCleanup(NotificationWriter writer, PostRepository posts, UsernameRepository usernames,
			AccountStateRepository accounts) {
		this.writer = writer;
		this.posts = posts;
		this.usernames = usernames;
		this.accounts = accounts;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findDeleted(postId)
			.flatMapMany(this::readers)
			.distinct()
			.concatMap((userId) -> this.writer.remove(userId, (notification) -> notification.postId().equals(postId)))
			.then();
	}

	/**
	 * Those of an author whose account is gone are all removed together. While the
	 * archive is away that has the post above, its author is not known, and no worker
	 * waits for that.
	 */
	private Flux<String> readers(DeletedPost post) {
		return Flux.concat(
				this.accounts.isGone(post.authorId()).filter((gone) -> !gone).map((there) -> post.authorId()),
				Mono.justOrEmpty(post.replyTo())
					.flatMap(this.posts::authorOf)
					.onErrorResume(ArchiveAwayException.class, (away) -> Mono.empty()),
				Flux.fromIterable(post.mentions()).concatMap(this.usernames::findId));
	}

}
