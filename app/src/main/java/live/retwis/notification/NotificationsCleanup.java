package live.retwis.notification;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.post.DeletedPost;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the notifications about a deleted post, so that they do not count as unread:
 * those of its author, of the users whom it mentions, and of the user to whom it replies.
 */
@Component
class NotificationsCleanup implements PostCleanup {

	private final NotificationRepository notifications;

	private final PostRepository posts;

	private final UsernameRepository usernames;

	private final AccountStateRepository accounts;

	private final UnreadAnnouncer announcer;

	NotificationsCleanup(NotificationRepository notifications, PostRepository posts, UsernameRepository usernames,
			AccountStateRepository accounts, UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.posts = posts;
		this.usernames = usernames;
		this.accounts = accounts;
		this.announcer = announcer;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findDeleted(postId)
			.flatMapMany(this::readers)
			.distinct()
			.concatMap((userId) -> remove(userId, postId))
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

	private Mono<Void> remove(String userId, String postId) {
		return this.notifications.all(userId)
			.map((all) -> about(postId, all))
			.flatMap((found) -> found.isEmpty() ? Mono.empty() : this.notifications.remove(userId, found)
				.then(Mono.fromRunnable(() -> this.announcer.changed(userId))));
	}

	private static List<Notification> about(String postId, List<Cursor> all) {
		return all.stream()
			.map((place) -> Notification.parse(place.member()))
			.flatMap(Optional::stream)
			.filter((notification) -> notification.postId().equals(postId))
			.toList();
	}

}
