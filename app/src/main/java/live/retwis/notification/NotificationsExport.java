package live.retwis.notification;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.export.ExportPart;
import live.retwis.redis.Cursor;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** What a user was told of, the latest first, without those who are gone. */
@Component
class NotificationsExport implements ExportPart {

	private final NotificationRepository notifications;

	private final UserRepository users;

	NotificationsExport(NotificationRepository notifications, UserRepository users) {
		this.notifications = notifications;
		this.users = users;
	}

	@Override
	public String name() {
		return "notifications";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.notifications.page(userId, after, PAGE);
	}

	@Override
	public Mono<List<ToldJson>> items(List<Cursor> places) {
		Set<String> actors = places.stream()
			.flatMap((place) -> Notification.parse(place.member()).stream())
			.map(Notification::actorId)
			.collect(Collectors.toSet());
		return this.users.findShown(actors).map((found) -> {
			Map<String, String> names = found.stream().collect(Collectors.toMap(User::id, User::username));
			return places.stream().flatMap((place) -> told(place, names).stream()).toList();
		});
	}

	private static Optional<ToldJson> told(Cursor place, Map<String, String> names) {
		return Notification.parse(place.member())
			.flatMap((one) -> Optional.ofNullable(names.get(one.actorId()))
				.map((username) -> new ToldJson(one.type().text(), username,
						one.postId().isEmpty() ? null : one.postId(), TimeFormat.iso(place.score()))));
	}

	/**
	 * A notification as JSON.
	 *
	 * @param type what was done, as in {@link NotificationGroupDto}
	 * @param username who did it
	 * @param post id of the post that it is about; absent for a follow
	 * @param createdAt ISO 8601 UTC
	 */
	record ToldJson(String type, String username, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String post,
			@JsonProperty("created_at") String createdAt) {
	}

}
