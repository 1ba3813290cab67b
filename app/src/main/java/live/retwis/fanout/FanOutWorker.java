package live.retwis.fanout;

import java.time.Duration;
import java.util.function.Function;

import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Processes the log, the tasks of entries that were split, and the entries that were
 * postponed. Each new entry wakes it, and so does a timer every second in case a wake-up
 * was lost. Short-lived commands run without it: entries that such a command took and
 * left would wait until another instance takes them over.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class FanOutWorker implements CommitLogListener, SmartLifecycle {

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	/** No message announces tasks that another instance has made, so this is shorter. */
	private static final Duration LOOK_FOR_TASKS_EVERY = Duration.ofMillis(200);

	/** An entry waits for Redis most of the time, so several are processed at once. */
	private static final int ENTRIES_AT_ONCE = 16;

	/** One task writes while the other reads the next followers. */
	private static final int TASKS_AT_ONCE = 2;

	private static final Duration CLAIM_EVERY = Duration.ofSeconds(3);

	private final QueueConsumer<LogEntry> entries;

	private final QueueConsumer<FanOutTask> tasks;

	private final QueueConsumer<PostponedEntry> postponed;

	private final UpgradeGate older;

	private final Sinks.Many<Object> wakeUps = Sinks.many().multicast().directBestEffort();

	private @Nullable Disposable working;

	FanOutWorker(FanOutQueue queue, FanOutTaskQueue taskQueue, PostponedEntryQueue postponedQueue,
			FanOutDispatcher fanOut, UpgradeGate older) {
		this.older = older;
		this.entries = new QueueConsumer<>(queue, (entry) -> fanOut.apply(entry).doOnSuccess((done) -> wake(entry)),
				(entry) -> fanOut.resume(entry).doOnSuccess((done) -> wake(entry)), ENTRIES_AT_ONCE, CLAIM_EVERY);
		this.tasks = new QueueConsumer<>(taskQueue, fanOut::apply, fanOut::resume, TASKS_AT_ONCE, CLAIM_EVERY);
		Function<PostponedEntry, Mono<Void>> resume = (postponed) -> fanOut.resume(postponed.entry());
		this.postponed = new QueueConsumer<>(postponedQueue, resume, resume, ENTRIES_AT_ONCE, CLAIM_EVERY);
	}

	@Override
	public void accept(LogEntry entry) {
		wake(entry);
	}

	/**
	 * Fails when another thread is emitting at the same moment. That is fine, because the
	 * other thread wakes the workers.
	 */
	private void wake(LogEntry entry) {
		this.wakeUps.tryEmitNext(entry);
	}

	@Override
	public void start() {
		this.working = this.older.awaitGone()
			.thenMany(Flux.merge(this.entries.run(wakeUps(LOOK_EVERY)), this.tasks.run(wakeUps(LOOK_FOR_TASKS_EVERY)),
					this.postponed.run(Flux.interval(Duration.ZERO, LOOK_EVERY))))
			.subscribe();
	}

	private Flux<Object> wakeUps(Duration lookEvery) {
		return Flux.merge(this.wakeUps.asFlux(), Flux.interval(Duration.ZERO, lookEvery));
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

	/**
	 * Starts before the web server and stops after it, because the web server accepts
	 * posts in between.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
