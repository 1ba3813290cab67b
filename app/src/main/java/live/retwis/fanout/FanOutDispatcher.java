package live.retwis.fanout;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Hands each log entry, and each task of a split entry, to the processor of its type.
 * Entries of types without a processor change no list. Then it tells the listeners.
 */
@Component
public class FanOutDispatcher {

	private final Map<LogEntry.Type, LogEntryProcessor> processors = new EnumMap<>(LogEntry.Type.class);

	private final ProcessedEntryListeners listeners;

	private final FanOutTaskQueue tasks;

	FanOutDispatcher(List<LogEntryProcessor> processors, ProcessedEntryListeners listeners, FanOutTaskQueue tasks) {
		this.listeners = listeners;
		this.tasks = tasks;
		processors.forEach((processor) -> processor.types().forEach((type) -> add(type, processor)));
	}

	private void add(LogEntry.Type type, LogEntryProcessor processor) {
		LogEntryProcessor other = this.processors.put(type, processor);
		if (other != null) {
			throw new IllegalStateException(
					"Entries of type " + type + " have two processors: " + other + " and " + processor);
		}
	}

	public Mono<Void> apply(LogEntry entry) {
		LogEntryProcessor processor = this.processors.get(entry.type());
		return ((processor != null) ? processor.apply(entry) : Mono.<Void>empty()).then(this.listeners.tell(entry));
	}

	public Mono<Void> resume(LogEntry entry) {
		LogEntryProcessor processor = this.processors.get(entry.type());
		return ((processor != null) ? processor.resume(entry) : Mono.<Void>empty()).then(this.listeners.tell(entry));
	}

	public Mono<Void> apply(FanOutTask task) {
		return task.tried() ? resume(task) : step(task, (processor) -> processor.apply(task));
	}

	public Mono<Void> resume(FanOutTask task) {
		return step(task, (processor) -> processor.resume(task));
	}

	private Mono<Void> step(FanOutTask task, Function<LogEntryProcessor, Mono<Boolean>> work) {
		@Nullable LogEntryProcessor processor = this.processors.get(task.type());
		return (processor == null) ? Mono.empty()
				: work.apply(processor).flatMap((done) -> done ? this.listeners.tell(task) : this.tasks.requeue(task));
	}

}
