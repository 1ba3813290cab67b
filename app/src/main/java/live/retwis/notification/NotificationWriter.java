package live.retwis.notification;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import live.retwis.account.AccountStateRepository;
import live.retwis.redis.ConvergingWrite;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Writes and removes notifications. Nobody is told of what they did themselves, nor of
 * what somebody did whom they have muted or blocked.
 */
@Component
class NotificationWriter {

	private final NotificationRepository notifications;

	private final AccountStateRepository accounts;

	private final RestrictionRepository restrictions;

	private final UnreadAnnouncer announcer;

	NotificationWriter(NotificationRepository notifications, AccountStateRepository accounts,
			RestrictionRepository restrictions, UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.accounts = accounts;
		this.restrictions = restrictions;
		this.announcer = announcer;
	}

	/** Adds a notification. */
	Mono<Void> add(String userId, Notification notification, long committed) {
		return settle(userId, notification, committed, Mono.just(true));
	}

	/** Removes those of a user's notifications that match. */
	Mono<Void> remove(String userId, Predicate<Notification> which) {
		return this.notifications.all(userId)
			.map((all) -> all.stream()
				.map((place) -> Notification.parse(place.member()))
				.flatMap(Optional::stream)
				.filter(which)
				.toList())
			.filter((found) -> !found.isEmpty())
			.flatMap((found) -> this.announcer.changing(userId, this.notifications.remove(userId, found)));
	}

	/**
	 * Adds a notification if what it tells is true now, and removes it if not, whatever
	 * the log entry says.
	 * @param userId id of the user who is told
	 * @param committed when it happened, in ms
	 * @param isTrue reads whether it is true
	 */
	Mono<Void> settle(String userId, Notification notification, long committed, Mono<Boolean> isTrue) {
		// A cache may not have heard of a block that stands before this in the log.
		Mono<Boolean> isTold = this.restrictions.hides(userId, notification.actorId())
			.flatMap((hidden) -> hidden ? Mono.just(false) : isTrue);
		return userId.equals(notification.actorId()) ? Mono.empty()
				: ConvergingWrite.of(isTold, (now) -> write(userId, notification, committed, now))
					.then(Mono.fromRunnable(() -> this.announcer.changed(userId)));
	}

	private Mono<Void> write(String userId, Notification notification, long committed, boolean isTrue) {
		return !isTrue ? this.notifications.remove(userId, List.of(notification))
				: this.notifications.add(userId, notification, committed)
					.then(this.accounts.ifGone(userId, this.notifications.delete(userId)));
	}

}
