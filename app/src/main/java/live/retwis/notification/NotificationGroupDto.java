package live.retwis.notification;

import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.web.PersonView;
import org.jspecify.annotations.Nullable;

/**
 * A group of notifications as JSON.
 *
 * @param type what was done: {@code follow}, {@code like}, {@code repost},
 * {@code mention} or {@code reply}
 * @param users names of the users who did it last, two at most
 * @param others how many more did it
 * @param post id of the post that it is about; null for a follow
 * @param text how that post begins; null for a follow
 * @param unread whether the user has not read it
 * @param createdAt when it was done last, ISO 8601 UTC
 */
record NotificationGroupDto(String type, List<String> users, int others, @Nullable String post, @Nullable String text,
		boolean unread, @JsonProperty("created_at") String createdAt) {

	static NotificationGroupDto of(NotificationView view) {
		List<String> users = Stream.concat(Stream.of(view.first()), Stream.ofNullable(view.second()))
			.map(PersonView::username)
			.toList();
		return new NotificationGroupDto(view.type().text(), users, view.otherUsers(), view.postId(), view.text(),
				view.unread(), view.first().since());
	}

}
