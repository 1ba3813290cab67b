package live.retwis.notification;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of notifications.
 *
 * @param notifications groups of notifications, newest first
 * @param older cursor of the next page; null on the last page
 * @param newest when the newest notification of the whole list came, in ms; 0 for an
 * empty list
 * @param unread how many of the whole list were unread
 */
record NotificationPage(List<NotificationView> notifications, @Nullable String older, long newest, int unread) {

	/** The page as JSON. */
	Json json() {
		return new Json(this.notifications.stream().map(NotificationGroupDto::of).toList(), this.older);
	}

	/**
	 * A page as JSON.
	 *
	 * @param notifications groups of notifications, newest first
	 * @param older cursor of the next page; null on the last page
	 */
	record Json(List<NotificationGroupDto> notifications, @Nullable String older) {
	}

}
