package live.retwis.live;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Reports whether the live feed works. A failure is no reason to take an instance out of
 * service, because the feed restarts by itself and its streams wait for it.
 */
@Component
class LiveHealthIndicator implements HealthIndicator {

	private final LiveFeed feed;

	private final DeliveryMetrics metrics;

	LiveHealthIndicator(LiveFeed feed, DeliveryMetrics metrics) {
		this.feed = feed;
		this.metrics = metrics;
	}

	@Override
	public Health health() {
		Throwable failure = this.feed.failure();
		return ((failure != null) ? Health.down(failure) : Health.up()).withDetail("restarts", this.metrics.restarts())
			.withDetail("missed", this.metrics.missedPosts())
			.build();
	}

}
