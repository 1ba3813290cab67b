package live.retwis.redis;

import java.time.Duration;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.background.PeriodicTask;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The metric {@code retwis.data.up}: whether the data node answered within the last ten
 * seconds. The readiness check reports the same, but only when it is asked.
 */
@Component
class DataNodeMetrics extends PeriodicTask {

	private static final Duration EVERY = Duration.ofSeconds(10);

	private final ReactiveStringRedisTemplate redis;

	private volatile boolean up;

	DataNodeMetrics(MeterRegistry meters, ReactiveStringRedisTemplate redis) {
		super(EVERY);
		this.redis = redis;
		Gauge.builder("retwis.data.up", this, (metrics) -> metrics.up ? 1 : 0)
			.description("1 while the data node answers, else 0")
			.register(meters);
	}

	/** EXISTS of the log, which asks the node that has it. */
	@Override
	protected Mono<Void> run() {
		return this.redis.hasKey(Keys.LOG)
			.doOnNext((answer) -> this.up = true)
			.doOnError((error) -> this.up = false)
			.then();
	}

}
