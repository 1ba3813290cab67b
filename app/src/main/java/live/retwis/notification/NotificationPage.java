package live.retwis.notification;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of notifications.
 *
 * @param notifications groups of notifications, newest first
 * @param older cursor of the next page; null on the last page
 */
record NotificationPage(List<NotificationView> notifications, @Nullable String older) {

	/** When the newest unread notification came, in ms; 0 when all are read. */
	long newestUnread() {
		return this.notifications.stream()
			.filter(NotificationView::unread)
			.mapToLong(NotificationView::time)
			.max()
			.orElse(0);
	}

	/** The page as JSON. */
	Json json() {
		return new Json(this.notifications.stream().map(NotificationJson::of).toList(), this.older);
	}

	/**
	 * A page as JSON.
	 *
	 * @param notifications groups of notifications, newest first
	 * @param older cursor of the next page; null on the last page
	 */
	record Json(List<NotificationJson> notifications, @Nullable String older) {
	}

}
