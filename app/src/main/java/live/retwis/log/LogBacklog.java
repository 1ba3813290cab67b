package live.retwis.log;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What waits for fan-out, and whether more is taken. The log is not trimmed past what
 * waits, and each instance keeps it in memory for its pages; so there is a bound.
 */
@Component
public class LogBacklog {

	private final LogProperties properties;

	private volatile long waiting;

	LogBacklog(LogProperties properties) {
		this.properties = properties;
	}

	/** So much was waiting when it was last looked. */
	public void waits(long entries) {
		this.waiting = entries;
	}

	/**
	 * Whether another entry can be taken.
	 * @return done; {@link Overloaded} when {@code retwis.log.max-backlog} entries wait
	 */
	Mono<Void> admit() {
		return Mono.defer(() -> {
			long now = this.waiting;
			return (now < this.properties.maxBacklog()) ? Mono.empty() : Mono.error(new Overloaded(now));
		});
	}

	/** Too much waits for fan-out. */
	public static class Overloaded extends RuntimeException {

		Overloaded(long waiting) {
			super(waiting + " entries wait to be delivered", null, false, false);
		}

	}

}
