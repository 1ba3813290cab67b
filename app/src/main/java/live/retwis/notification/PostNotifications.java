package live.retwis.notification;

import java.time.Duration;

import live.retwis.account.UsernameRepository;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostListener;
import live.retwis.post.RepliedPostAuthor;
import live.retwis.redis.DataClock;
import live.retwis.text.ParsedPostText;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Tells users which posts mention them or reply to them. A reply that mentions its reader
 * counts as a reply only. Nobody is told of posts of more than a week ago, which were
 * imported. {@link NotificationPostCleanup} removes deleted posts.
 */
@Component
class PostNotifications implements PostListener {

	private static final Duration NEWS = Duration.ofDays(7);

	private final NotificationWriter writer;

	private final RepliedPostAuthor parentAuthor;

	private final UsernameRepository usernames;

	private final DataClock clock;

	PostNotifications(NotificationWriter writer, RepliedPostAuthor parentAuthor, UsernameRepository usernames,
			DataClock clock) {
		this.writer = writer;
		this.parentAuthor = parentAuthor;
		this.usernames = usernames;
		this.clock = clock;
	}

	@Override
	public Mono<Void> posted(Post post, LogPosition position) {
		return this.clock.millis()
			.filter((now) -> now - position.millis() < NEWS.toMillis())
			.flatMap((now) -> tell(post, position));
	}

	/** The entry does not name the users whom the text mentioned. */
	@Override
	public Mono<Void> gone(LogEntry entry) {
		return this.parentAuthor.of(entry)
			.flatMap((reader) -> this.writer.remove(reader,
					(notification) -> notification.postId().equals(entry.post())));
	}

	private Mono<Void> tell(Post post, LogPosition position) {
		return this.parentAuthor.of(post)
			.defaultIfEmpty("")
			.flatMap((parentAuthor) -> Mono.whenDelayError(reply(parentAuthor, post, position),
					mentions(parentAuthor, post, position)));
	}

	private Mono<Void> reply(String parentAuthor, Post post, LogPosition position) {
		return parentAuthor.isEmpty() ? Mono.empty() : tell(parentAuthor, NotificationType.REPLY, post, position);
	}

	private Mono<Void> mentions(String parentAuthor, Post post, LogPosition position) {
		return Mono.whenDelayError(ParsedPostText.of(post.body())
			.mentions()
			.stream()
			.map((name) -> this.usernames.findId(name)
				.filter((userId) -> !userId.equals(parentAuthor))
				.flatMap((userId) -> tell(userId, NotificationType.MENTION, post, position)))
			.toList());
	}

	private Mono<Void> tell(String userId, NotificationType type, Post post, LogPosition position) {
		return this.writer.add(userId, new Notification(type, post.authorId(), post.id()), position.millis());
	}

}
