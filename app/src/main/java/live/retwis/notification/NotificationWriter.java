package live.retwis.notification;

import java.util.List;

import live.retwis.account.AccountStateRepository;
import live.retwis.block.HiddenAuthorsCache;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Writes notifications. Nobody is told of what they did themselves, nor of what somebody
 * did whom they have muted or blocked.
 */
@Component
class NotificationWriter {

	private final NotificationRepository notifications;

	private final AccountStateRepository accounts;

	private final HiddenAuthorsCache hidden;

	private final UnreadAnnouncer announcer;

	NotificationWriter(NotificationRepository notifications, AccountStateRepository accounts, HiddenAuthorsCache hidden,
			UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.accounts = accounts;
		this.hidden = hidden;
		this.announcer = announcer;
	}

	/** Adds a notification. */
	Mono<Void> add(String userId, Notification notification, long committed) {
		return settle(userId, notification, committed, Mono.just(true));
	}

	/**
	 * Adds a notification if what it tells is true now, and removes it if not, whatever
	 * the log entry says. Repeats this if that has changed meanwhile, because the worker
	 * of the newer entry may have finished first.
	 * @param userId id of the user who is told
	 * @param committed when it happened, in ms
	 * @param isTrue reads whether it is true
	 */
	Mono<Void> settle(String userId, Notification notification, long committed, Mono<Boolean> isTrue) {
		return userId.equals(notification.actorId()) ? Mono.empty()
				: this.hidden.of(userId)
					.flatMap((hidden) -> write(userId, notification, committed,
							hidden.contains(notification.actorId()) ? Mono.just(false) : isTrue))
					.then(Mono.fromRunnable(() -> this.announcer.changed(userId)));
	}

	private Mono<Void> write(String userId, Notification notification, long committed, Mono<Boolean> isTrue) {
		return isTrue.flatMap(
				(before) -> (before ? this.notifications.add(userId, notification, committed).then(deleteIfGone(userId))
						: this.notifications.remove(userId, List.of(notification)))
					.then(isTrue)
					.flatMap((after) -> after.equals(before) ? Mono.empty()
							: write(userId, notification, committed, isTrue)));
	}

	/** The user deleted the account meanwhile. */
	private Mono<Void> deleteIfGone(String userId) {
		return this.accounts.isGone(userId).flatMap((gone) -> gone ? this.notifications.delete(userId) : Mono.empty());
	}

}
