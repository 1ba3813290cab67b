package live.retwis.fanout;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Splits an entry into tasks. That is the last step of its processor, because it
 * acknowledges the entry: if the worker dies afterwards, nobody processes the entry
 * again. So the listeners are told before.
 */
@Component
public class EntrySplitter {

	private final ProcessedEntryListeners listeners;

	private final FanOutQueue queue;

	EntrySplitter(ProcessedEntryListeners listeners, FanOutQueue queue) {
		this.listeners = listeners;
		this.queue = queue;
	}

	/**
	 * Tells the listeners, then replaces the entry with tasks.
	 * @param begins when each task's range of follow times begins, in ms, ascending
	 */
	public Mono<Void> split(LogEntry entry, long[] begins) {
		return this.listeners.tell(entry).then(this.queue.split(entry, begins));
	}

}
