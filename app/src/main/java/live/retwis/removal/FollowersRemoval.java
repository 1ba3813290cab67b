package live.retwis.removal;

import java.util.List;

import live.retwis.follow.FollowUpdates;
import live.retwis.follow.Followers;
import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelines;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Removes the user's posts from the followers' home timelines, and then the follows
 * themselves.
 */
@Component
@Order(RemovalStep.FOLLOWERS)
class FollowersRemoval implements RemovalStep {

	/** Followers processed at once. */
	private static final int PAGE = 500;

	/** Posts that one call removes from many timelines. */
	private static final int POSTS = 10;

	private static final int CONCURRENCY = 16;

	private static final Cursor START = new Cursor(0, "");

	private final Followers followers;

	private final FollowUpdates follows;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	FollowersRemoval(Followers followers, FollowUpdates follows, TimelineRepository timelines, HomeTimelines homes) {
		this.followers = followers;
		this.follows = follows;
		this.timelines = timelines;
		this.homes = homes;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.followers.earliest(userId, START, PAGE)
			.map((page) -> page.places().stream().map(Cursor::member).toList())
			.flatMap((readers) -> readers.isEmpty() ? Mono.just(true)
					: this.timelines.latestPushedOf(userId)
						.map((places) -> places.stream().map(Cursor::member).toList())
						.flatMap((postIds) -> leave(userId, readers, postIds))
						.thenReturn(false));
	}

	/**
	 * The posts are removed first, because a former follower cannot be found again after
	 * a crash. They are removed a second time at the end, because a post may have been
	 * pushed meanwhile.
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

}
