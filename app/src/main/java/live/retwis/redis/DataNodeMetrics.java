package live.retwis.redis;

import java.time.Duration;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.background.PeriodicTask;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * {@code retwis.data.up}: whether the data node answered a PING, at most ten seconds ago.
 * Readiness tells the same to those who ask it.
 */
@Component
class DataNodeMetrics extends PeriodicTask {

	private static final Duration EVERY = Duration.ofSeconds(10);

	private final DataNode data;

	private volatile boolean up;

	DataNodeMetrics(MeterRegistry meters, DataNode data) {
		super(EVERY);
		this.data = data;
		Gauge.builder("retwis.data.up", this, (metrics) -> metrics.up ? 1 : 0)
			.description("1 while the data node answers, else 0")
			.register(meters);
	}

	/** PING, on the node that has the log. */
	@Override
	protected Mono<Void> run() {
		return this.data.callBeside(Keys.LOG, (c) -> c.ping())
			.doOnNext((pong) -> this.up = true)
			.doOnError((error) -> this.up = false)
			.then();
	}

}
