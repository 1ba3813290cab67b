package live.retwis.post;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Reports which posts cannot be read. The status is always up, because they are no reason
 * to take an instance out of service.
 */
@Component
class PostsHealthIndicator implements HealthIndicator {

	/** Most posts that are listed by id. The count covers all of them. */
	private static final int NAMED = 10;

	private final UnreadablePosts unreadable;

	PostsHealthIndicator(UnreadablePosts unreadable) {
		this.unreadable = unreadable;
	}

	@Override
	public Health health() {
		return Health.up()
			.withDetail("unreadableCount", this.unreadable.count())
			.withDetail("unreadable", this.unreadable.some(NAMED))
			.build();
	}

}
