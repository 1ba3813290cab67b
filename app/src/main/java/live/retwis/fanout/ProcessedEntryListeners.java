package live.retwis.fanout;

import java.util.List;
import java.util.function.Function;

import live.retwis.log.LogEntry;
import live.retwis.redis.DamagedKeyReporter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** All {@link ProcessedEntryListener}s. */
@Component
class ProcessedEntryListeners {

	private final List<ProcessedEntryListener> listeners;

	private final DamagedKeyReporter damaged;

	ProcessedEntryListeners(List<ProcessedEntryListener> listeners, DamagedKeyReporter damaged) {
		this.listeners = listeners;
		this.damaged = damaged;
	}

	/** Tells those that listen to the entry's type, one after the other. */
	Mono<Void> tell(LogEntry entry) {
		return tell(entry.type(), (listener) -> listener.processed(entry));
	}

	/** Tells those that listen to the type of the task's entry. */
	Mono<Void> tell(FanOutTask task) {
		return tell(task.type(), (listener) -> listener.processed(task));
	}

	private Mono<Void> tell(LogEntry.Type type, Function<ProcessedEntryListener, Mono<Void>> call) {
		return Flux.fromIterable(this.listeners)
			.filter((listener) -> listener.types().contains(type))
			.concatMap((listener) -> this.damaged.passOver(listener.getClass().getSimpleName(), call.apply(listener)))
			.then();
	}

}
