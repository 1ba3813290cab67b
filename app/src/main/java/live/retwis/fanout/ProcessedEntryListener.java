package live.retwis.fanout;

import java.util.Set;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

/**
 * Is told of entries that the workers have processed. A type has at most one
 * {@link LogEntryProcessor}, but any number of listeners. A listener may be told of the
 * same entry again, and then changes nothing.
 */
public interface ProcessedEntryListener {

	/** The types of entries that it is told of. */
	Set<LogEntry.Type> types();

	/**
	 * Called when the lists of the entry's processor are updated. If only tasks for the
	 * followers are left, it is called before and after the entry is split.
	 */
	Mono<Void> processed(LogEntry entry);

	/** Called when a task of a split entry is finished. */
	default Mono<Void> processed(FanOutTask task) {
		return Mono.empty();
	}

}
