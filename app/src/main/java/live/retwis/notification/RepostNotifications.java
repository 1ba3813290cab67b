package live.retwis.notification;

import java.util.Set;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import live.retwis.post.RenderedPosts;
import live.retwis.repost.RepostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Tells users who reposts their posts. Deleting the repost takes that back. */
@Component
class RepostNotifications implements ProcessedEntryListener {

	private final NotificationWriter writer;

	private final PostRepository posts;

	private final RenderedPosts rendered;

	private final RepostRepository reposts;

	RepostNotifications(NotificationWriter writer, PostRepository posts, RenderedPosts rendered,
			RepostRepository reposts) {
		this.writer = writer;
		this.posts = posts;
		this.rendered = rendered;
		this.reposts = reposts;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.POST, LogEntry.Type.DELETE);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return (entry.type() == LogEntry.Type.POST) ? told(entry) : takenBack(entry);
	}

	/** While the archive is away that has the original, its author is not told. */
	private Mono<Void> told(LogEntry entry) {
		return Mono.justOrEmpty(entry.repostOf())
			.flatMap(
					(original) -> this.rendered.authorOf(original).flatMap((author) -> settle(entry, original, author)))
			.onErrorComplete(ArchiveAwayException.class);
	}

	/**
	 * The author may be suspended now, and be back later. While the archive is away that
	 * has the original, the notification stays.
	 */
	private Mono<Void> takenBack(LogEntry entry) {
		return this.posts.findRepost(entry.post())
			.map(PostRepository.Repost::original)
			.flatMap((original) -> this.posts.authorOf(original).flatMap((author) -> settle(entry, original, author)))
			.onErrorComplete(ArchiveAwayException.class);
	}

	private Mono<Void> settle(LogEntry entry, String original, String author) {
		return this.writer.settle(author, new Notification(NotificationType.REPOST, entry.user(), original),
				entry.position().millis(),
				this.reposts.find(original, entry.user())
					.filterWhen((repost) -> this.posts.isThere(original))
					.hasElement());
	}

}
