package live.retwis.notification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;

/**
 * Notifications that a page shows as one, such as all likes of a post.
 *
 * @param about what they are about
 * @param newest place of the newest of them in the list
 * @param actorIds ids of the users, the latest first
 */
record NotificationGroup(Notification about, Cursor newest, List<String> actorIds) {

	/** Groups a list. A group is where its newest notification is. */
	static List<NotificationGroup> of(List<Cursor> newestFirst) {
		Map<Notification, NotificationGroup> groups = new LinkedHashMap<>();
		for (Cursor place : newestFirst) {
			Notification.parse(place.member())
				.ifPresent((found) -> groups
					.computeIfAbsent(found.ofAnybody(),
							(about) -> new NotificationGroup(about, place, new ArrayList<>()))
					.actorIds()
					.add(found.actorId()));
		}
		return List.copyOf(groups.values());
	}

	/** Whether it comes after the place, which is on an earlier page. */
	boolean isAfter(Optional<Cursor> place) {
		return place.isEmpty() || CursorOrder.NEWEST_FIRST.compare(place.get(), this.newest) < 0;
	}

	/** Id of the post that it is about; empty for none. */
	Optional<String> postId() {
		return Optional.of(this.about.postId()).filter((id) -> !id.isEmpty());
	}

	/** Each notification of the group. */
	Stream<Notification> each() {
		return this.actorIds.stream()
			.map((actorId) -> new Notification(this.about.type(), actorId, this.about.postId()));
	}

}
