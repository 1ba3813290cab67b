package live.retwis.log;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * How many entries wait for fan-out, and whether the log takes more. Entries that wait
 * cannot be trimmed from the log, and each instance keeps them in memory for its pages.
 * So their number is bounded.
 */
@Component
public class LogBacklog {

	private final CommitLogProperties properties;

	private volatile long waiting;

	LogBacklog(CommitLogProperties properties) {
		this.properties = properties;
	}

	/** Stores how many entries waited at the last check. */
	public void waits(long entries) {
		this.waiting = entries;
	}

	/**
	 * Checks whether the log can take another entry.
	 * @return done; {@link BacklogFullException} when {@code retwis.log.max-backlog}
	 * entries wait
	 */
	Mono<Void> admit() {
		return Mono.defer(() -> {
			long now = this.waiting;
			return (now < this.properties.maxBacklog()) ? Mono.empty() : Mono.error(new BacklogFullException(now));
		});
	}

	/** Too many entries wait for fan-out. */
	public static class BacklogFullException extends RuntimeException {

		BacklogFullException(long waiting) {
			super(waiting + " entries wait to be delivered", null, false, false);
		}

	}

}
