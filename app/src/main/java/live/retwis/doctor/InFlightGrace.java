package live.retwis.doctor;

import java.time.Duration;

import live.retwis.redis.DataClock;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What is young and half done is on its way.
 */
@Component
class InFlightGrace {

	private static final Duration LENGTH = Duration.ofMinutes(10);

	private final DataClock clock;

	InFlightGrace(DataClock clock) {
		this.clock = clock;
	}

	/** Whether what began then, in ms of the data node's clock, should be done by now. */
	Mono<Boolean> isOver(double millis) {
		return this.clock.millis().map((now) -> now - millis > LENGTH.toMillis());
	}

}
