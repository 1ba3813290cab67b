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
 * The streams that one thread writes. Events are put before the sockets first, and the
 * sockets are flushed after that, a few in a turn. Between turns the thread looks after
 * its other sockets, so that no page and no answer of Redis waits for thousands of
 * streams, and what comes while a socket waits for its turn goes with the same write.
 */
class StreamLoop {

	private static final Logger logger = LoggerFactory.getLogger(StreamLoop.class);

	/** Sockets in one turn: about a quarter of a millisecond. */
	private static final int TURN = 32;

	private final Executor executor;

	private final Executor betweenTurns;

	private final Scheduler scheduler;

	private final Audience audience;

	private final Queue<Runnable> flushes = new ArrayDeque<>();

	private boolean flushing;

	StreamLoop(Executor executor, DeliveryMetrics trace) {
		this.executor = executor;
		this.betweenTurns = afterInput(executor);
		this.scheduler = Schedulers.fromExecutor(executor);
		this.audience = new Audience(trace);
	}

	/**
	 * Runs it on the thread, after all that it was told before. After an error nobody
	 * knows which streams got an event and which did not, so all of them are cut off:
	 * they come back by their positions, and miss nothing.
	 */
	void execute(Runnable task) {
		this.executor.execute(() -> {
			try {
				task.run();
			}
			catch (RuntimeException | Error ex) {
				logger.error("All streams of a thread are cut off", ex);
				this.audience.cutOff();
			}
		});
	}

	/** The same, as an answer on the thread. */
	Mono<Void> run(Consumer<StreamLoop> task) {
		return Mono.<Void>fromRunnable(() -> task.accept(this)).subscribeOn(this.scheduler);
	}

	/** Use on the thread only. */
	Audience audience() {
		return this.audience;
	}

	/** Runs it when it is its turn. Call on the thread. */
	void flushLater(Runnable flush) {
		this.flushes.add(flush);
		if (!this.flushing) {
			this.flushing = true;
			this.betweenTurns.execute(this::flush);
		}
	}

	/**
	 * An event loop runs tasks as long as there are any before it looks at its sockets
	 * again; those that are due by time it takes up only then.
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

	/** One that fails must not keep the others from their turn. */
	private static void run(Runnable flush) {
		try {
			flush.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A stream could not be flushed", ex);
		}
	}

}
