package live.retwis.live;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All open streams of this instance, each with the thread that writes it. What one thread
 * asks of them happens in the order in which it asked.
 */
class StreamLoops {

	private final Map<Executor, StreamLoop> loops = new ConcurrentHashMap<>();

	private final DeliveryMetrics trace;

	StreamLoops(DeliveryMetrics trace) {
		this.trace = trace;
	}

	/** The streams of that thread. */
	StreamLoop of(Executor executor) {
		return this.loops.computeIfAbsent(executor, (missing) -> new StreamLoop(missing, this.trace));
	}

	/** How many threads there are. */
	int size() {
		return this.loops.size();
	}

	/** Does something with the streams of each thread, on it. */
	void each(Consumer<StreamLoop> task) {
		this.loops.values().forEach((loop) -> loop.execute(() -> task.accept(loop)));
	}

	/** Asks the streams of each thread, on it, and adds the answers up. */
	Mono<Integer> sum(ToIntFunction<Audience> question) {
		return Flux.fromIterable(this.loops.values())
			.flatMap((loop) -> Mono
				.<Integer>create((answer) -> loop.execute(() -> answer.success(question.applyAsInt(loop.audience())))))
			.reduce(0, Integer::sum);
	}

}
