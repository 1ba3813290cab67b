package live.retwis.live;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The streams that one thread writes. Events are first queued at the sockets, and the
 * sockets are flushed later, a few per turn. Between turns the thread serves its other
 * sockets, so that no page and no answer of Redis waits for thousands of streams. Events
 * that arrive while a socket waits for its turn share one write.
 */
class StreamEventLoop {

	private static final Logger logger = LoggerFactory.getLogger(StreamEventLoop.class);

	/** Sockets flushed per turn, which takes about a quarter of a millisecond. */
	private static final int TURN = 32;

	private final Executor executor;

	private final Executor betweenTurns;

	private final Scheduler scheduler;

	private final LoopSubscribers subscribers;

	private final Queue<Runnable> flushes = new ArrayDeque<>();

	private boolean flushing;

	StreamEventLoop(Executor executor, DeliveryMetrics metrics) {
		this.executor = executor;
		this.betweenTurns = afterInput(executor);
		this.scheduler = Schedulers.fromExecutor(executor);
		this.subscribers = new LoopSubscribers(metrics);
	}

	/**
	 * Runs a task on the thread, after all earlier tasks. If it fails, nobody knows which
	 * streams got an event, so all streams of the thread are cut off. Their browsers
	 * reconnect with their positions and miss nothing.
	 */
	void execute(Runnable task) {
		this.executor.execute(() -> {
			try {
				task.run();
			}
			catch (RuntimeException | Error ex) {
				logger.error("All streams of a thread are cut off", ex);
				this.subscribers.cutOff();
			}
		});
	}

	/**
	 * Runs a task on the thread.
	 * @return done after the task
	 */
	Mono<Void> run(Consumer<StreamEventLoop> task) {
		return Mono.<Void>fromRunnable(() -> task.accept(this)).subscribeOn(this.scheduler);
	}

	/** The streams. Use on the thread only. */
	LoopSubscribers subscribers() {
		return this.subscribers;
	}

	/** Queues a flush for one of the next turns. Call on the thread. */
	void flushLater(Runnable flush) {
		this.flushes.add(flush);
		if (!this.flushing) {
			this.flushing = true;
			this.betweenTurns.execute(this::flush);
		}
	}

	/**
	 * An executor that runs a task after the thread has served its sockets. An event loop
	 * runs all immediate tasks before it looks at its sockets again. Scheduled tasks,
	 * even without a delay, run only after that.
	 */
	private static Executor afterInput(Executor executor) {
		return (executor instanceof ScheduledExecutorService timed)
				? (task) -> Objects.requireNonNull(timed.schedule(task, 0, TimeUnit.NANOSECONDS)) : executor;
	}

	private void flush() {
		for (int i = 0; i < TURN && !this.flushes.isEmpty(); i++) {
			run(this.flushes.remove());
		}
		if (this.flushes.isEmpty()) {
			this.flushing = false;
		}
		else {
			this.betweenTurns.execute(this::flush);
		}
	}

	/** Runs one flush. A failure must not keep the others from their turn. */
	private static void run(Runnable flush) {
		try {
			flush.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A stream could not be flushed", ex);
		}
	}

}
