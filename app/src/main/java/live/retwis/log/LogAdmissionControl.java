package live.retwis.log;

import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.DataNodeMemory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Decides whether the log takes another entry. From the oldest entry on that waits for
 * fan-out, the log cannot be trimmed, and each instance keeps posts in memory for its
 * pages. So the number of entries from there on is bounded. While a data node is nearly
 * full, the log takes only entries of what ends something or protects somebody.
 */
@Component
public class LogAdmissionControl {

	private final CommitLogProperties properties;

	private final DataNodeMemory memory;

	private volatile long waiting;

	LogAdmissionControl(CommitLogProperties properties, DataNodeMemory memory) {
		this.properties = properties;
		this.memory = memory;
	}

	/**
	 * Stores how many entries there were at the last check, from the oldest waiting one
	 * on.
	 */
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
	 * Whether the log can take another entry that only tells a number. It takes them up
	 * to twice as many entries. Each time a worker tries an entry, there may be one. So
	 * entries that fail again and again could fill the log by themselves.
	 */
	boolean admitsNumbers() {
		return this.waiting < 2L * this.properties.maxBacklog();
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
			super(waiting + " entries are in the log since the oldest one that waits to be delivered", null, false,
					false);
		}

	}

}
