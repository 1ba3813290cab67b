package live.retwis.fanout;

import java.util.List;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** All {@link ProcessedEntryListener}s. */
@Component
class ProcessedEntryListeners {

	private final List<ProcessedEntryListener> listeners;

	ProcessedEntryListeners(List<ProcessedEntryListener> listeners) {
		this.listeners = listeners;
	}

	/** Tells those that listen to the entry's type, one after the other. */
	Mono<Void> tell(LogEntry entry) {
		return Flux.fromIterable(this.listeners)
			.filter((listener) -> listener.types().contains(entry.type()))
			.concatMap((listener) -> listener.processed(entry))
			.then();
	}

	/** Tells those that listen to the type of the task's entry. */
	Mono<Void> tell(FanOutTask task) {
		return Flux.fromIterable(this.listeners)
			.filter((listener) -> listener.types().contains(task.type()))
			.concatMap((listener) -> listener.processed(task))
			.then();
	}

}
