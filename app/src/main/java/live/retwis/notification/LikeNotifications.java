package live.retwis.notification;

import java.util.Set;

import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.LogEntry;
import live.retwis.reaction.ReactionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Tells users who likes their posts. Taking the like back takes that back. */
@Component
class LikeNotifications implements ProcessedEntryListener {

	private final NotificationWriter writer;

	private final ReactionRepository reactions;

	LikeNotifications(NotificationWriter writer, ReactionRepository reactions) {
		this.writer = writer;
		this.reactions = reactions;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.LIKE, LogEntry.Type.UNLIKE);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return this.writer.settle(entry.other(), new Notification(NotificationType.LIKE, entry.user(), entry.post()),
				entry.position().millis(), this.reactions.isLiked(entry.post(), entry.user()));
	}

}
