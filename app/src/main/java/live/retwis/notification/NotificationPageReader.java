package live.retwis.notification;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.account.SuspendedAccountsCache;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.post.Post;
import live.retwis.post.PostListSlice;
import live.retwis.post.PostRepository;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.HiddenAuthorsCache;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/** Reads a user's notifications page by page. */
@Component
class NotificationPageReader {

	/** Groups on a page. */
	private static final int PAGE = 20;

	/** Most concurrent commands. */
	private static final int CONCURRENCY = 64;

	private final NotificationRepository notifications;

	private final RenderedPosts posts;

	private final PostRepository stored;

	private final UserRepository users;

	private final SuspendedAccountsCache suspended;

	private final HiddenAuthorsCache hidden;

	private final UnreadAnnouncer announcer;

	NotificationPageReader(NotificationRepository notifications, RenderedPosts posts, PostRepository stored,
			UserRepository users, SuspendedAccountsCache suspended, HiddenAuthorsCache hidden,
			UnreadAnnouncer announcer) {
		this.notifications = notifications;
		this.posts = posts;
		this.stored = stored;
		this.users = users;
		this.suspended = suspended;
		this.hidden = hidden;
		this.announcer = announcer;
	}

	/**
	 * A page, newest first. Reads the whole list, because a group may be spread over it.
	 * Notifications of posts and users that are gone are removed from the list. Those of
	 * suspended users are not shown, but stay for the case that the users are restored.
	 * Those of users whom the viewer has muted or blocked are not shown either. This
	 * instance may not have heard that they are no longer restricted, so it leaves it to
	 * the workers to remove them.
	 */
	Mono<NotificationPage> read(Viewer viewer, Optional<Cursor> before) {
		return read(viewer, before, Set.of(), false);
	}

	/**
	 * Reads the page again without what cannot be shown, until it has nothing else.
	 * @param withheld members of the list that are not shown
	 * @param away whether one of them is about a post that only the archive has, which is
	 * away. Then nothing counts as read
	 */
	private Mono<NotificationPage> read(Viewer viewer, Optional<Cursor> before, Set<String> withheld, boolean away) {
		return Mono
			.zip(this.notifications.all(viewer.id()), this.notifications.unread(viewer.id()),
					this.hidden.of(viewer.id()))
			.flatMap(TupleUtils.function((all, notRead, authors) -> {
				long readUpTo = notRead.after();
				List<NotificationGroup> groups = NotificationGroup.of(all.stream()
					.filter((place) -> !withheld.contains(place.member()) && isOfSomebodyShown(place, authors))
					.toList());
				int unread = away ? 0 : (int) all.stream().filter((place) -> place.score() > readUpTo).count();
				return page(viewer, before, groups, withheld, away, readUpTo, all.isEmpty() ? 0 : all.get(0).score(),
						unread);
			}));
	}

	/**
	 * What suspended users did stays in the list, for the case that they are restored.
	 */
	private boolean isOfSomebodyShown(Cursor place, HiddenAuthors hidden) {
		return Notification.parse(place.member())
			.filter((one) -> !hidden.contains(one.actorId()) && !this.suspended.contains(one.actorId()))
			.isPresent();
	}

	private Mono<NotificationPage> page(Viewer viewer, Optional<Cursor> before, List<NotificationGroup> groups,
			Set<String> withheld, boolean away, long readUpTo, long newest, int unread) {
		List<NotificationGroup> rest = groups.stream().filter((group) -> group.isAfter(before)).toList();
		List<NotificationGroup> shown = rest.subList(0, Math.min(PAGE, rest.size()));
		String key = Keys.notifications(viewer.id());
		@Nullable String older = (rest.size() > PAGE) ? shown.get(PAGE - 1).newest().text(key) : null;
		return Mono.zip(posts(shown), users(shown), (posts, users) -> {
			List<Notification> missing = shown.stream()
				.flatMap(NotificationGroup::each)
				.filter((one) -> !users.containsKey(one.actorId())
						|| (!one.postId().isEmpty() && !posts.containsKey(one.postId())))
				.toList();
			if (!missing.isEmpty()) {
				Set<String> more = new HashSet<>(withheld);
				missing.forEach((one) -> more.add(one.member()));
				return removeGone(viewer, missing).then(Mono.defer(() -> awayAmong(missing, before.isPresent())))
					.flatMap((unreadable) -> read(viewer, before, more, away || unreadable));
			}
			return Mono.just(new NotificationPage(
					shown.stream().map((group) -> NotificationView.of(group, viewer, posts, users, readUpTo)).toList(),
					older, newest, unread));
		}).flatMap(Function.identity());
	}

	/**
	 * Whether only the archive has one of these posts, and is away.
	 * @param older whether that is an error, because older pages leave out nothing
	 */
	private Mono<Boolean> awayAmong(List<Notification> missing, boolean older) {
		List<String> postIds = missing.stream().map(Notification::postId).filter((id) -> !id.isEmpty()).toList();
		return this.posts.find(postIds, HiddenAuthors.NOBODY, true)
			.map(PostListSlice::whole)
			.thenReturn(false)
			.onErrorResume((error) -> error instanceof ArchiveAwayException && !older, (error) -> Mono.just(true));
	}

	/**
	 * A post that cannot be read now is not shown, but its notifications stay. While the
	 * node takes no writes, those of deleted posts stay, too. A later page removes them.
	 */
	private Mono<Void> removeGone(Viewer viewer, List<Notification> missing) {
		return Flux.fromIterable(missing)
			.filterWhen(this::isGone, CONCURRENCY)
			.collectList()
			.filter((gone) -> !gone.isEmpty())
			.flatMap((gone) -> this.announcer.changing(viewer.id(), this.notifications.remove(viewer.id(), gone))
				.onErrorComplete(RedisErrorClassifier::isAway));
	}

	private Mono<Boolean> isGone(Notification one) {
		return Mono.zip(this.users.findById(one.actorId()).hasElement(),
				one.postId().isEmpty() ? Mono.just(true) : this.stored.isThere(one.postId()),
				(user, post) -> !user || !post);
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

	/** The viewer has read what the page has, and all that is older. */
	Mono<Void> markRead(Viewer viewer, NotificationPage page) {
		return this.announcer
			.changing(viewer.id(), this.notifications.markRead(viewer.id(), page.newest(), page.unread()))
			.then();
	}

}
