package live.retwis.post;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Which posts cannot be read. They are no reason to take an instance out.
 */
@Component
class PostsHealthIndicator implements HealthIndicator {

	/** Posts that are named; their number says how many more there are. */
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
