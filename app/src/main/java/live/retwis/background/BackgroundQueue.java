package live.retwis.background;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;

/**
 * A queue of work that no page waits for. Items may get lost, because somebody asks for
 * them again, such as the next visit or an intent: an item offered while too many wait is
 * dropped, and failures are logged at debug level.
 *
 * @param <T> one item of work
 */
public abstract class BackgroundQueue<T> implements SmartLifecycle {

	/** Most items that wait, unless a queue has its own bound. */
	private static final int MOST_WAITING = 1000;

	private final Logger log = LoggerFactory.getLogger(getClass());

	private final Sinks.Many<T> offered = Sinks.many().multicast().directBestEffort();

	private final int concurrency;

	private final int mostWaiting;

	private @Nullable Disposable working;

	/**
	 * Creates an empty queue.
	 * @param concurrency items processed at once
	 */
	protected BackgroundQueue(int concurrency) {
		this(concurrency, MOST_WAITING);
	}

	/**
	 * Creates an empty queue with a bound of its own.
	 * @param concurrency items processed at once
	 * @param mostWaiting items that wait; what is offered beyond that is dropped
	 */
	protected BackgroundQueue(int concurrency, int mostWaiting) {
		this.concurrency = concurrency;
		this.mostWaiting = mostWaiting;
	}

	/** Processes one item. */
	protected abstract Mono<Void> work(T item);

	/** Adds an item from any thread. Waits only while another thread adds one. */
	protected final void offer(T item) {
		while (this.offered.tryEmitNext(item) == Sinks.EmitResult.FAIL_NON_SERIALIZED) {
			Thread.onSpinWait();
		}
	}

	private Mono<Void> one(T item) {
		return Mono.defer(() -> work(item)).onErrorResume((error) -> {
			this.log.debug("It is done next time: {}", NestedExceptionUtils.getMostSpecificCause(error).toString());
			return Mono.empty();
		});
	}

	@Override
	public void start() {
		this.working = this.offered.asFlux().onBackpressureBuffer(this.mostWaiting, (tooMany) -> {
		}, BufferOverflowStrategy.DROP_LATEST).flatMap(this::one, this.concurrency).subscribe();
	}

	@Override
	public void stop() {
		if (this.working != null) {
			this.working.dispose();
			this.working = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.working != null;
	}

}
