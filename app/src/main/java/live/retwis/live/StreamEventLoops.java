package live.retwis.live;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All open streams of this instance, grouped by the thread that writes them. Tasks that
 * one thread submits run in the order in which it submitted them.
 */
class StreamEventLoops {

	private final Map<Executor, StreamEventLoop> loops = new ConcurrentHashMap<>();

	private final DeliveryMetrics metrics;

	StreamEventLoops(DeliveryMetrics metrics) {
		this.metrics = metrics;
	}

	/** The streams of the given thread. */
	StreamEventLoop of(Executor executor) {
		return this.loops.computeIfAbsent(executor, (missing) -> new StreamEventLoop(missing, this.metrics));
	}

	/** How many threads there are. */
	int size() {
		return this.loops.size();
	}

	/** Runs a task for each thread's streams, on that thread. */
	void each(Consumer<StreamEventLoop> task) {
		this.loops.values().forEach((loop) -> loop.execute(() -> task.accept(loop)));
	}

	/**
	 * Asks each thread's streams for a number, on that thread, and adds the numbers up.
	 */
	Mono<Integer> sum(ToIntFunction<LoopSubscribers> question) {
		return Flux.fromIterable(this.loops.values())
			.flatMap((loop) -> Mono.<Integer>create(
					(answer) -> loop.execute(() -> answer.success(question.applyAsInt(loop.subscribers())))))
			.reduce(0, Integer::sum);
	}

}
