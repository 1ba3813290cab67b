package live.retwis.fanout;

import java.util.Set;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

/**
 * Updates the lists that are derived from the log, for entries of some types. Each
 * feature has its own processor. Every step can be repeated: it changes nothing when its
 * work is already done.
 */
public interface LogEntryProcessor {

	/**
	 * The types of entries that it handles. Each type belongs to at most one processor.
	 */
	Set<LogEntry.Type> types();

	/**
	 * Updates the lists for one entry. If the entry is much work, it is only split into
	 * tasks, which any instance can take.
	 */
	Mono<Void> apply(LogEntry entry);

	/**
	 * Updates the lists for an entry that another worker may have begun before it died.
	 */
	default Mono<Void> resume(LogEntry entry) {
		return apply(entry);
	}

	/**
	 * Works on one task of an entry that was split.
	 * @return whether the task is finished; if not, it is queued again behind the tasks
	 * that wait
	 */
	default Mono<Boolean> apply(FanOutTask task) {
		return Mono.error(() -> new IllegalStateException("Entries of type " + task.type() + " are never split"));
	}

	/** Works on a task that another worker may have begun before it died. */
	default Mono<Boolean> resume(FanOutTask task) {
		return apply(task);
	}

}
