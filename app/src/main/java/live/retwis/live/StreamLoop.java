package live.retwis.live;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The streams that one thread writes. Events are put before the sockets first, and the
 * sockets are flushed after that, a few in a turn: other work of the thread is not held
 * up by thousands of streams, and what comes while a socket waits for its turn goes with
 * the same write.
 */
class StreamLoop {

	/** Sockets in one turn: about a millisecond. */
	private static final int TURN = 100;

	private final Executor executor;

	private final Scheduler scheduler;

	private final Audience audience;

	private final Queue<Runnable> flushes = new ArrayDeque<>();

	private boolean flushing;

	StreamLoop(Executor executor, DeliveryTrace trace) {
		this.executor = executor;
		this.scheduler = Schedulers.fromExecutor(executor);
		this.audience = new Audience(trace);
	}

	/** Runs it on the thread, after all that it was told before. */
	void execute(Runnable task) {
		this.executor.execute(task);
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
			this.executor.execute(this::flush);
		}
	}

	private void flush() {
		for (int i = 0; i < TURN && !this.flushes.isEmpty(); i++) {
			this.flushes.remove().run();
		}
		if (this.flushes.isEmpty()) {
			this.flushing = false;
		}
		else {
			this.executor.execute(this::flush);
		}
	}

}
