package live.retwis.doctor;

import java.time.Duration;

import live.retwis.redis.DataClock;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Tells apart broken data and young data that may still be in the middle of a write. */
@Component
class InFlightGrace {

	private static final Duration LENGTH = Duration.ofMinutes(10);

	private final DataClock clock;

	InFlightGrace(DataClock clock) {
		this.clock = clock;
	}

	/**
	 * Tells that a write that began at this time should be finished by now.
	 * @param millis ms of the data node's clock
	 * @return true; empty as long as the write may go on
	 */
	Mono<Boolean> isOver(double millis) {
		return this.clock.millis().map((now) -> now - millis > LENGTH.toMillis()).filter(Boolean::booleanValue);
	}

}
