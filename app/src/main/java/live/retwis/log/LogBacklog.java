package live.retwis.log;

import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.DataNodeMemory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * How many entries wait for fan-out, and whether the log takes more. Entries that wait
 * cannot be trimmed from the log, and each instance keeps them in memory for its pages.
 * So their number is bounded. While a data node is nearly full, it takes only entries of
 * what ends something or protects somebody.
 */
@Component
public class LogBacklog {

	private final CommitLogProperties properties;

	private final DataNodeMemory memory;

	private volatile long waiting;

	LogBacklog(CommitLogProperties properties, DataNodeMemory memory) {
		this.properties = properties;
		this.memory = memory;
	}

	/** Stores how many entries waited at the last check. */
	public void waits(long entries) {
		this.waiting = entries;
	}

	/**
	 * Checks whether the log can take another entry.
	 * @return done; {@link NotAdmittedException} when {@code retwis.log.max-backlog}
	 * entries wait
	 */
	Mono<Void> admit() {
		return Mono.defer(() -> {
			long now = this.waiting;
			return (now >= this.properties.maxBacklog()) ? Mono.error(new NotAdmittedException(now)) : Mono.empty();
		});
	}

	/**
	 * Checks whether the log can take another entry of something that makes the data
	 * grow.
	 * @return done; what {@link #admit} says; {@link DataNodeFullException} when a data
	 * node is nearly full
	 */
	Mono<Void> admitGrowth() {
		return admit().then(this.memory.requireRoom());
	}

	/** Too many entries wait for fan-out. */
	public static class NotAdmittedException extends RuntimeException {

		NotAdmittedException(long waiting) {
			super(waiting + " entries wait to be delivered", null, false, false);
		}

	}

}
