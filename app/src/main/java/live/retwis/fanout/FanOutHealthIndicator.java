package live.retwis.fanout;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Reports how many entries wait for fan-out, and how many could not be processed and are
 * kept in {@code {live}:dead}. The status is always up, because neither number is a
 * reason to take an instance out of service.
 */
@Component
class FanOutHealthIndicator implements HealthIndicator {

	private final FanOutMonitor progress;

	FanOutHealthIndicator(FanOutMonitor progress, MeterRegistry meters) {
		this.progress = progress;
		Gauge.builder("retwis.fanout.waiting", progress, FanOutMonitor::waiting)
			.description("Entries from the oldest one on that is not done, and unfinished tasks")
			.register(meters);
		TimeGauge.builder("retwis.fanout.oldest", progress, TimeUnit.MILLISECONDS, (now) -> now.oldest().toMillis())
			.description("Since when the oldest of them waits")
			.register(meters);
		Gauge.builder("retwis.fanout.dead", progress, FanOutMonitor::dead)
			.description("Entries that could not be done and are kept to be looked at")
			.register(meters);
	}

	@Override
	public Health health() {
		return Health.up()
			.withDetail("waiting", this.progress.waiting())
			.withDetail("oldest", this.progress.oldest())
			.withDetail("dead", this.progress.dead())
			.build();
	}

}
