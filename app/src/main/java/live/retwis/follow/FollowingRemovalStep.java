package live.retwis.follow;

import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Removes the user's follows of others, and the user's own lists of followers, which are
 * empty by now.
 */
@Component
@Order(RemovalStep.LAST)
class FollowingRemovalStep implements RemovalStep {

	private static final int CONCURRENCY = 16;

	private final FollowRepository follows;

	private final FollowWriter updates;

	private final FollowerListRepository followers;

	FollowingRemovalStep(FollowRepository follows, FollowWriter updates, FollowerListRepository followers) {
		this.follows = follows;
		this.updates = updates;
		this.followers = followers;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.follows.allFollowed(userId)
			.flatMapIterable((followed) -> followed)
			.flatMap((followed) -> this.updates.removeFollowerSilently(userId, followed), CONCURRENCY)
			.then(this.followers.forget(userId))
			.thenReturn(true);
	}

}
