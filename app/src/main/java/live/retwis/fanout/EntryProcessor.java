package live.retwis.fanout;

import java.util.Set;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

/**
 * Brings the lists that are derived from the log in line with entries of some types. Each
 * feature has its own. Every step can be repeated, and finds its work done then.
 */
public interface EntryProcessor {

	/** The types of entries that it works on. No two processors share one. */
	Set<LogEntry.Type> types();

	/**
	 * Brings lists in line with an entry. Of what is much work it only makes tasks, which
	 * any instance takes.
	 */
	Mono<Void> apply(LogEntry entry);

	/** The same for an entry that another worker may have begun with before it died. */
	default Mono<Void> resume(LogEntry entry) {
		return apply(entry);
	}

	/**
	 * Works on one task of an entry that was split.
	 * @return whether the task is done; otherwise it is taken up again after those that
	 * wait
	 */
	default Mono<Boolean> apply(FanOutTask task) {
		return Mono.error(() -> new IllegalStateException("Entries of type " + task.type() + " are never split"));
	}

	/** The same for a task that another worker may have begun with before it died. */
	default Mono<Boolean> resume(FanOutTask task) {
		return apply(task);
	}

}
