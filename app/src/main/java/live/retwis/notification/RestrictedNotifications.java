package live.retwis.notification;

import java.util.Set;

import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.LogEntry;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the notifications about a user whom their reader has muted or blocked, so that
 * they do not count as unread. It asks Redis, because a cache may not have heard of the
 * entry yet that a worker processes.
 */
@Component
class RestrictedNotifications implements ProcessedEntryListener {

	private final NotificationWriter writer;

	private final RestrictionRepository restrictions;

	RestrictedNotifications(NotificationWriter writer, RestrictionRepository restrictions) {
		this.writer = writer;
		this.restrictions = restrictions;
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.MUTE, LogEntry.Type.BLOCK);
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return this.restrictions.hiddenFrom(entry.user())
			.filter((now) -> now.contains(entry.other()))
			.flatMap((now) -> this.writer.remove(entry.user(),
					(notification) -> notification.actorId().equals(entry.other())));
	}

}
