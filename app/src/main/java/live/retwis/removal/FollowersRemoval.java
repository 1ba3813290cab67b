package live.retwis.removal;

import java.util.List;

import live.retwis.follow.FollowRepository;
import live.retwis.follow.Followers;
import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelines;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Takes the user's posts out of the home timelines of the followers, who then follow the
 * user no longer.
 */
@Component
@Order(RemovalStep.FOLLOWERS)
class FollowersRemoval implements RemovalStep {

	/** Followers taken at once. */
	private static final int PAGE = 500;

	/** Posts taken out of many timelines by one call. */
	private static final int POSTS = 10;

	private static final int CONCURRENCY = 16;

	private static final Cursor START = new Cursor(0, "");

	private final Followers followers;

	private final FollowRepository follows;

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	FollowersRemoval(Followers followers, FollowRepository follows, TimelineRepository timelines, HomeTimelines homes) {
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
	 * The posts go first, because a reader who follows no longer is not found again after
	 * a crash. They go once more at the end, because one may have been pushed meanwhile.
	 * A timeline that is being made is cancelled, because its maker may have read the
	 * user's posts before.
	 */
	private Mono<Void> leave(String userId, List<String> readers, List<String> postIds) {
		Mono<Void> takeOut = Flux.fromIterable(postIds)
			.buffer(POSTS)
			.concatMap((some) -> this.homes.remove(readers, some))
			.then();
		return takeOut
			.thenMany(Flux.fromIterable(readers)
				.flatMap((reader) -> this.follows.sever(reader, userId).then(this.homes.cancel(reader)), CONCURRENCY))
			.then(takeOut);
	}

}
