package live.retwis.delivery;

import live.retwis.follow.FollowWriter;
import live.retwis.follow.FollowerListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.removal.RemovalStep;
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
class FollowersRemovalStep implements RemovalStep {

	/** Followers processed at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 16;

	private final FollowerListRepository followers;

	private final FollowWriter follows;

	private final UnfollowCleanup posts;

	private final DamagedKeyReporter damaged;

	FollowersRemovalStep(FollowerListRepository followers, FollowWriter follows, UnfollowCleanup posts,
			DamagedKeyReporter damaged) {
		this.followers = followers;
		this.follows = follows;
		this.posts = posts;
		this.damaged = damaged;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.followers.earliest(userId, Cursor.START, PAGE)
			.flatMap((page) -> Flux.fromIterable(page.places())
				.flatMap((reader) -> leave(userId, reader.member()), CONCURRENCY)
				.then(Mono.just(page.places().isEmpty())));
	}

	/**
	 * The posts are removed first, because a former follower cannot be found again after
	 * a crash. They are removed a second time at the end, because a post may have been
	 * pushed meanwhile. If another program has damaged a timeline, the posts are still
	 * removed from the others.
	 */
	private Mono<Void> leave(String userId, String reader) {
		Mono<Void> takeOut = this.damaged.passOver(getClass().getSimpleName(), this.posts.takeOut(reader, userId));
		return takeOut.then(this.follows.removeSilently(reader, userId)).then(takeOut);
	}

}
