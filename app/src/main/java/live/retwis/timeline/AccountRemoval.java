package live.retwis.timeline;

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
 * Clears away what is left of a user who has deleted the account: step by step, so that
 * memory and what is under way are bounded, and others' work has its turn between. Each
 * step finds done what was done before, and what others still do for the user at the same
 * time, they undo themselves.
 */
@Component
class AccountRemoval {

	/** Followers or posts taken at once. */
	private static final int PAGE = 500;

	/** Posts taken out of many timelines by one call. */
	private static final int POSTS = 10;

	private static final int CONCURRENCY = 16;

	private static final Cursor START = new Cursor(0, "");

	private final UserRepository users;

	private final FollowRepository follows;

	private final Followers followers;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final PostRemoval posts;

	private final ReplyCounts replyCounts;

	private final Posting posting;

	private final CommitLog log;

	AccountRemoval(UserRepository users, FollowRepository follows, Followers followers, TimelineRepository timelines,
			HomeTimelines homes, PostRemoval posts, ReplyCounts replyCounts, Posting posting, CommitLog log) {
		this.users = users;
		this.follows = follows;
		this.followers = followers;
		this.timelines = timelines;
		this.homes = homes;
		this.posts = posts;
		this.replyCounts = replyCounts;
		this.posting = posting;
		this.log = log;
	}

	/**
	 * Clears some of it away, the name last; nothing of a user who is there.
	 * @return whether that was all
	 */
	Mono<Boolean> step(String userId) {
		return this.users.isGone(userId).flatMap((gone) -> gone ? removeSome(userId) : Mono.just(true));
	}

	/**
	 * The followers go before the posts, which are known by the author's list until then.
	 */
	private Mono<Boolean> removeSome(String userId) {
		return this.followers.earliest(userId, START, PAGE)
			.map((page) -> page.places().stream().map(Cursor::member).toList())
			.flatMap((readers) -> readers.isEmpty() ? removePosts(userId)
					: this.timelines.latestPushedOf(userId)
						.map((places) -> places.stream().map(Cursor::member).toList())
						.flatMap((postIds) -> leave(userId, readers, postIds))
						.thenReturn(false));
	}

	private Mono<Boolean> removePosts(String userId) {
		return this.timelines.oldestOf(userId, START, PAGE)
			.flatMap((page) -> page.isEmpty() ? removeRest(userId).thenReturn(true)
					: Flux.fromIterable(page)
						.flatMap((place) -> removePost(userId, place.member()), CONCURRENCY)
						.then(Mono.just(false)));
	}

	/** Streams and caches were told of the account: of each post it would be too much. */
	private Mono<Boolean> removePost(String userId, String postId) {
		return this.posting.erase(postId, userId)
			.then(this.replyCounts.withdraw(postId))
			.then(this.posts.remove(userId, postId));
	}

	private Mono<Void> removeRest(String userId) {
		return leaveFollowed(userId)
			.then(Mono.when(this.followers.forget(userId), this.homes.remove(userId),
					this.timelines.removePulledAuthor(userId), this.users.removeRecent(userId)))
			.then(this.users.nameOf(userId).defaultIfEmpty(""))
			.flatMap((name) -> this.users.freeName(userId, name).then(this.log.nameFreed(userId, Username.fold(name))))
			.then(this.users.retire(userId));
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

}
