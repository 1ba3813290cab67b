package live.retwis.notification;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.block.HiddenAuthorsCache;
import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the notifications about a user whom their reader has muted or blocked, so that
 * they do not count as unread.
 */
@Component
class RestrictedNotifications implements ProcessedEntryListener {

	private final NotificationRepository notifications;

	private final HiddenAuthorsCache hidden;

	private final UnreadAnnouncer announcer;

	RestrictedNotifications(NotificationRepository notifications, HiddenAuthorsCache hidden,
			UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.hidden = hidden;
		this.announcer = announcer;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.MUTE, LogEntry.Type.BLOCK);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return this.hidden.of(entry.user())
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
