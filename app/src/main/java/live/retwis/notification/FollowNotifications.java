package live.retwis.notification;

import java.util.Set;

import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.follow.FollowRepository;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Tells users who follows them. An unfollow takes that back. */
@Component
class FollowNotifications implements ProcessedEntryListener {

	private final NotificationWriter writer;

	private final FollowRepository follows;

	FollowNotifications(NotificationWriter writer, FollowRepository follows) {
		this.writer = writer;
		this.follows = follows;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.FOLLOW, LogEntry.Type.UNFOLLOW);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return this.writer.settle(entry.other(), new Notification(NotificationType.FOLLOW, entry.user(), ""),
				entry.position().millis(), this.follows.isFollowing(entry.user(), entry.other()));
	}

}
