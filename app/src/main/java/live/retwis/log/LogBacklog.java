package live.retwis.log;

import live.retwis.redis.DataNodeMemory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * How many entries wait for fan-out, and whether the log takes more. Entries that wait
 * cannot be trimmed from the log, and each instance keeps them in memory for its pages.
 * So their number is bounded. The log also takes none while a data node is nearly full.
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
	 * entries wait, or a data node is nearly full
	 */
	Mono<Void> admit() {
		return Mono.defer(() -> {
			long now = this.waiting;
			if (now >= this.properties.maxBacklog()) {
				return Mono.error(new NotAdmittedException(now + " entries wait to be delivered", false));
			}
			return this.memory.isNearlyFull() ? Mono.error(new NotAdmittedException("A data node is nearly full", true))
					: Mono.empty();
		});
	}

	/** Too many entries wait for fan-out, or there is no memory for more. */
	public static class NotAdmittedException extends RuntimeException {

		private final boolean full;

		NotAdmittedException(String why, boolean full) {
			super(why, null, false, false);
			this.full = full;
		}

		/** Whether memory is what lacks. Then waiting for some seconds does not help. */
		public boolean isFull() {
			return this.full;
		}

	}

}
