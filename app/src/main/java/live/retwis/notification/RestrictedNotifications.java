package live.retwis.notification;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.block.RestrictionRepository;
import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the notifications about a user whom their reader has muted or blocked, so that
 * they do not count as unread. It asks Redis, because a cache may not have heard of the
 * entry yet that a worker processes.
 */
@Component
class RestrictedNotifications implements ProcessedEntryListener {

	private final NotificationRepository notifications;

	private final RestrictionRepository restrictions;

	private final UnreadAnnouncer announcer;

	RestrictedNotifications(NotificationRepository notifications, RestrictionRepository restrictions,
			UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.restrictions = restrictions;
		this.announcer = announcer;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.MUTE, LogEntry.Type.BLOCK);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return this.restrictions.hiddenFrom(entry.user())
			.filter((now) -> now.contains(entry.other()))
			.flatMap((now) -> this.notifications.all(entry.user()))
			.map((all) -> by(entry.other(), all))
			.filter((found) -> !found.isEmpty())
			.flatMap((found) -> this.notifications.remove(entry.user(), found)
				.then(Mono.fromRunnable(() -> this.announcer.changed(entry.user()))));
	}

	private static List<Notification> by(String actorId, List<Cursor> all) {
		return all.stream()
			.map((place) -> Notification.parse(place.member()))
			.flatMap(Optional::stream)
			.filter((notification) -> notification.actorId().equals(actorId))
			.toList();
	}

}
