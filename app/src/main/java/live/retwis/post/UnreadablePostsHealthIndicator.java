package live.retwis.post;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * The part {@code posts} of the health: which posts cannot be read. The status is always
 * up, because they are no reason to take an instance out of service.
 */
@Component("postsHealthIndicator")
class UnreadablePostsHealthIndicator implements HealthIndicator {

	/** Most posts that are listed by id. The count covers all of them. */
	private static final int NAMED = 10;

	private final CorruptPostReporter unreadable;

	UnreadablePostsHealthIndicator(CorruptPostReporter unreadable) {
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
