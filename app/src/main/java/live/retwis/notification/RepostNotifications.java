package live.retwis.notification;

import java.util.Set;

import live.retwis.fanout.EntryListener;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import live.retwis.post.RenderedPosts;
import live.retwis.repost.RepostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Tells users who reposts their posts. Deleting the repost takes that back. */
@Component
class RepostNotifications implements EntryListener {

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
		Mono<String> original = (entry.type() == LogEntry.Type.POST) ? Mono.justOrEmpty(entry.repostOf())
				: this.posts.findRepost(entry.post()).map(PostRepository.Repost::original);
		return original.flatMap(this.rendered::find)
			.map((found) -> found.post())
			.flatMap((post) -> this.writer.settle(post.authorId(),
					new Notification(NotificationType.REPOST, entry.user(), post.id()), entry.position().millis(),
					this.reposts.find(post.id(), entry.user()).hasElement()));
	}

}
