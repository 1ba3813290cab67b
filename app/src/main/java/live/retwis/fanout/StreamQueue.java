package live.retwis.fanout;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import live.retwis.log.LogEntry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.stream.MapRecord;

/**
 * A queue whose items are the entries of a stream. The stream's consumer group hands them
 * out.
 *
 * @param <T> one item of work
 */
abstract class StreamQueue<T> implements WorkQueue<T> {

	private final ConsumerGroup group;

	private final Function<MapRecord<String, String, String>, T> item;

	/**
	 * A queue of what that group hands out.
	 * @param item what an entry of the stream asks for
	 */
	StreamQueue(ConsumerGroup group, Function<MapRecord<String, String, String>, T> item) {
		this.group = group;
		this.item = item;
	}

	@Override
	public Mono<List<T>> next() {
		return this.group.next().map(this::items);
	}

	@Override
	public Mono<List<T>> pending() {
		return this.group.pending().map(this::items);
	}

	@Override
	public Mono<List<T>> abandoned() {
		return this.group.abandoned().map(this::items);
	}

	/**
	 * The log entries that the entries of the stream name, as far as these describe them.
	 */
	Flux<LogEntry> entries() {
		return this.group.all()
			.map((entry) -> LogEntry.of(entry.getValue().getOrDefault("entry", "0-0"), entry.getValue()));
	}

	private List<T> items(List<MapRecord<String, String, String>> entries) {
		return entries.stream().map(this.item).toList();
	}

	@Override
	public Mono<Void> done(T work) {
		return this.group.done(id(work));
	}

	@Override
	public Mono<Void> moveToDeadLetters(T work, Throwable error) {
		return this.group.moveToDeadLetters(id(work), error);
	}

	@Override
	public Mono<Void> leave(T work) {
		return this.group.leave(id(work));
	}

	@Override
	public Mono<Void> renew(Collection<String> ids) {
		return this.group.renew(ids);
	}

	@Override
	public Mono<Void> dropConsumers() {
		return this.group.dropConsumers();
	}

}
