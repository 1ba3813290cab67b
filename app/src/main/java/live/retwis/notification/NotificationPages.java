package live.retwis.notification;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.block.HiddenAuthorsCache;
import live.retwis.post.Post;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Reads a user's notifications page by page. */
@Component
class NotificationPages {

	/** Groups on a page. */
	private static final int PAGE = 20;

	private final NotificationRepository notifications;

	private final RenderedPosts posts;

	private final UserRepository users;

	private final HiddenAuthorsCache hidden;

	private final UnreadAnnouncer announcer;

	NotificationPages(NotificationRepository notifications, RenderedPosts posts, UserRepository users,
			HiddenAuthorsCache hidden, UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.posts = posts;
		this.users = users;
		this.hidden = hidden;
		this.announcer = announcer;
	}

	/**
	 * A page, newest first. Reads the whole list, because a group may be spread over it.
	 * Notifications of posts and users that are gone, and of users whom the viewer has
	 * muted or blocked, are removed from the list. Then the page is read again.
	 */
	Mono<NotificationPage> read(Viewer viewer, Optional<Cursor> before) {
		return Mono
			.zip(this.notifications.all(viewer.id()), this.notifications.unread(viewer.id()),
					(all, unread) -> page(viewer, before, NotificationGroup.of(all), unread.after()))
			.flatMap(Function.identity());
	}

	private Mono<NotificationPage> page(Viewer viewer, Optional<Cursor> before, List<NotificationGroup> groups,
			long readUpTo) {
		List<NotificationGroup> rest = groups.stream().filter((group) -> group.isAfter(before)).toList();
		List<NotificationGroup> shown = rest.subList(0, Math.min(PAGE, rest.size()));
		@Nullable String older = (rest.size() > PAGE) ? shown.get(PAGE - 1).newest().text(Keys.notifications(viewer.id())) : null;
		return Mono.zip(posts(shown), users(shown), this.hidden.of(viewer.id())).flatMap((known) -> {
			Map<String, Post> posts = known.getT1();
			Map<String, User> users = known.getT2();
			List<Notification> gone = shown.stream()
				.flatMap(NotificationGroup::each)
				.filter((one) -> !users.containsKey(one.actorId()) || known.getT3().contains(one.actorId())
						|| (!one.postId().isEmpty() && !posts.containsKey(one.postId())))
				.toList();
			return gone.isEmpty() ? Mono.just(new NotificationPage(
					shown.stream().map((group) -> NotificationView.of(group, viewer, posts, users, readUpTo)).toList(),
					older))
					: this.notifications.remove(viewer.id(), gone)
						.doOnSuccess((removed) -> this.announcer.changed(viewer.id()))
						.then(Mono.defer(() -> read(viewer, before)));
		});
	}

	private Mono<Map<String, Post>> posts(List<NotificationGroup> groups) {
		List<String> postIds = groups.stream().flatMap((group) -> group.postId().stream()).distinct().toList();
		return this.posts.findAll(postIds)
			.map((found) -> found.stream()
				.map((one) -> one.post())
				.collect(Collectors.toMap(Post::id, Function.identity())));
	}

	private Mono<Map<String, User>> users(List<NotificationGroup> groups) {
		List<String> userIds = groups.stream().flatMap((group) -> group.actorIds().stream()).distinct().toList();
		return this.users.findAll(userIds)
			.map((found) -> found.stream().collect(Collectors.toMap(User::id, Function.identity())));
	}

	/** The viewer has read everything up to this time, in ms. */
	Mono<Void> markRead(Viewer viewer, long time) {
		return this.notifications.markRead(viewer.id(), time)
			.doOnNext((unread) -> this.announcer.changed(viewer.id()))
			.then();
	}

}
