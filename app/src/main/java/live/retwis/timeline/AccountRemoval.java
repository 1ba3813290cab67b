package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.account.UserRepository;
import live.retwis.account.Username;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.Followers;
import live.retwis.post.Posting;
import live.retwis.redis.CommitLog;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Clears away what is left of a user who has deleted the account: page by page, so that
 * memory and what is under way are bounded. Each step finds done what was done before,
 * and what others still do for the user at the same time, they undo themselves.
 */
@Component
class AccountRemoval {

	/** Followers or posts taken at once. */
	private static final int PAGE = 500;

	/** Posts taken out of many timelines by one call. */
	private static final int POSTS = 10;

	private static final int CONCURRENCY = 16;

	/** The log keeps no more than this of a user who had very many posts. */
	private static final long ENOUGH_WAITING = 1000;

	private static final Duration PAUSE = Duration.ofMillis(200);

	private static final Cursor START = new Cursor(0, "");

	private final UserRepository users;

	private final FollowRepository follows;

	private final Followers followers;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final PostRemoval posts;

	private final Posting posting;

	private final FanOutProgress progress;

	private final CommitLog log;

	AccountRemoval(UserRepository users, FollowRepository follows, Followers followers, TimelineRepository timelines,
			HomeTimelines homes, PostRemoval posts, Posting posting, FanOutProgress progress, CommitLog log) {
		this.users = users;
		this.follows = follows;
		this.followers = followers;
		this.timelines = timelines;
		this.homes = homes;
		this.posts = posts;
		this.posting = posting;
		this.progress = progress;
		this.log = log;
	}

	/** Every trace, the name last; nothing of a user who is there. */
	Mono<Void> remove(String userId) {
		return this.users.isGone(userId).filter((gone) -> gone).flatMap((gone) -> removeAll(userId));
	}

	private Mono<Void> removeAll(String userId) {
		return leaveFollowers(userId).then(leaveFollowed(userId))
			.then(deletePosts(userId))
			.then(Mono.when(this.followers.forget(userId), this.homes.remove(userId),
					this.timelines.removePulledAuthor(userId), this.users.removeRecent(userId)))
			.then(this.users.nameOf(userId))
			.flatMap((name) -> this.users.freeName(userId, name).then(this.log.nameFreed(userId, Username.fold(name))))
			.then(this.users.retire(userId));
	}

	/** Before the posts are deleted, which are known by their list. */
	private Mono<Void> leaveFollowers(String userId) {
		return this.timelines.latestPushedOf(userId)
			.map((places) -> places.stream().map(Cursor::member).toList())
			.flatMapMany(
					(postIds) -> pagesOfFollowers(userId, START).concatMap((page) -> leave(userId, page, postIds), 0))
			.then();
	}

	private Flux<List<String>> pagesOfFollowers(String userId, Cursor start) {
		return this.followers.earliest(userId, start, PAGE)
			.map(Followers.Page::places)
			.expand((page) -> (page.size() < PAGE) ? Mono.empty()
					: this.followers.earliest(userId, page.get(page.size() - 1), PAGE).map(Followers.Page::places))
			.map((page) -> page.stream().map(Cursor::member).toList());
	}

	/**
	 * The posts go first, for who follows no longer is not found again after a crash; and
	 * again at last, for until then one may have been pushed meanwhile.
	 */
	private Mono<Void> leave(String userId, List<String> readers, List<String> postIds) {
		Mono<Void> takeOut = Flux.fromIterable(postIds)
			.buffer(POSTS)
			.concatMap((some) -> this.homes.remove(readers, some))
			.then();
		return takeOut
			.thenMany(Flux.fromIterable(readers).flatMap((reader) -> this.follows.sever(reader, userId), CONCURRENCY))
			.then(takeOut);
	}

	private Mono<Void> leaveFollowed(String userId) {
		return this.follows.allFollowed(userId)
			.flatMapIterable((followed) -> followed)
			.flatMap((followed) -> this.follows.sever(userId, followed), CONCURRENCY)
			.then();
	}

	/** Each is told to the streams and the caches by an entry of its own. */
	private Mono<Void> deletePosts(String userId) {
		return this.timelines.oldestOf(userId, START, PAGE)
			.expand((page) -> (page.size() < PAGE) ? Mono.empty()
					: calm().then(this.timelines.oldestOf(userId, page.get(page.size() - 1), PAGE)))
			.concatMap((page) -> Flux.fromIterable(page)
				.flatMap((place) -> this.posting.withdraw(place.member(), userId)
					.then(this.posts.remove(userId, place.member())), CONCURRENCY), 0)
			.then();
	}

	/** Others' posts, and streams that come back, want room in the log too. */
	private Mono<Void> calm() {
		return Mono
			.defer(() -> (this.progress.waiting() < ENOUGH_WAITING) ? Mono.empty() : Mono.delay(PAUSE).then(calm()));
	}

}
