package live.retwis.notification;

import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Removes a user's notifications. Others’ notifications of what the user did go when
 * their page is read.
 */
@Component
@Order(RemovalStep.LAST)
class NotificationsRemovalStep implements RemovalStep {

	private final NotificationRepository notifications;

	NotificationsRemovalStep(NotificationRepository notifications) {
		this.notifications = notifications;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.notifications.delete(userId).thenReturn(true);
	}

}
