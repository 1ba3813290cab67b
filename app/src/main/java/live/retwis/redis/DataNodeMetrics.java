package live.retwis.redis;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/**
 * {@code retwis.data.up}: whether the data node answers. Readiness tells the same, to
 * those who ask it.
 */
@Component
class DataNodeMetrics {

	DataNodeMetrics(MeterRegistry meters, DataClock clock) {
		Gauge.builder("retwis.data.up", clock, (now) -> now.isAnswered() ? 1 : 0)
			.description("1 while the data node answers, else 0")
			.register(meters);
	}

}
