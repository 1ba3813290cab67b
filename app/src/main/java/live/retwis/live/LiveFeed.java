package live.retwis.live;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntConsumer;

import live.retwis.log.CommitLog;
import live.retwis.log.Position;
import live.retwis.log.ReplayProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Brings the commit log to every open stream of this instance. One thread reads and
 * remembers the entries, and passes them to the threads of the streams in order. So a
 * stream switches from its replay to live events without a gap and without a lock.
 */
@Component
class LiveFeed implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LiveFeed.class);

	/** Most entries that are encoded concurrently. */
	private static final int CONCURRENCY = 64;

	/** How often all streams are checked for quiet and for old ones. */
	private static final Duration TICK = Duration.ofSeconds(1);

	/** Wait before the feed starts again after an error. */
	private static final Duration PAUSE = Duration.ofMillis(500);

	/**
	 * Longest time that a stream waits for the feed to begin reading the log; the same as
	 * for a page.
	 */
	private static final Duration LONGEST_START = Duration.ofSeconds(2);

	/** Data of a reset event when the number of missed entries is not known. */
	private static final String MISSED = "{\"missed\":null}";

	private final Scheduler thread;

	/**
	 * The same thread as an executor. It is always the same object, because streams are
	 * found by their executor.
	 */
	private final Executor executor;

	private final StreamLoops loops;

	private final LiveProperties properties;

	private final EntryEncoder encoder;

	private final FeedMemory memory;

	private final LogReader reader;

	private final DeliveryMetrics metrics;

	private final FeedBackfill backfill;

	private final Heartbeat heartbeat;

	/** Completes when the memory holds its first entry. */
	private final Sinks.Empty<Void> begun = Sinks.empty();

	/** The error that the feed ended with; null while it runs. */
	private volatile @Nullable Throwable failure;

	private volatile @Nullable Disposable running;

	/** Whether new streams are accepted. */
	private volatile boolean open;

	LiveFeed(LiveProperties properties, ReplayProperties replay, CommitLog log, LogReader reader, EntryEncoder encoder,
			DeliveryMetrics metrics) {
		this.thread = reader.thread();
		this.executor = this.thread::schedule;
		this.loops = new StreamLoops(metrics);
		this.properties = properties;
		this.encoder = encoder;
		this.memory = new FeedMemory(replay.replay(), replay.replayEntries(), properties.replayBytes());
		this.reader = reader;
		this.metrics = metrics;
		this.backfill = new FeedBackfill(this.memory, log, encoder, reader);
		this.heartbeat = new Heartbeat(this.loops, this.memory, properties.heartbeat(), replay.replay());
	}

	/** Chooses how the events of this answer are written. */
	StreamOutlet outlet(ServerHttpResponse answer) {
		return StreamWriter.of(answer, this.loops, this.properties)
			.orElseGet(() -> WebFluxOutlet.of(answer, this.executor, this.properties.buffer()));
	}

	/** From now on, the subscriber is told of the follows and log-outs of its user. */
	Mono<Void> announce(Subscriber subscriber) {
		return this.loops.of(subscriber.executor()).run((loop) -> loop.audience().announce(subscriber));
	}

	/**
	 * Starts a stream with the entries after the position.
	 * @param followed ids of the users whom the subscriber's user follows
	 * @return the subscriber; empty when the position is not in the memory but may be in
	 * the log; an error while this instance cannot serve streams
	 */
	Mono<Subscriber> attach(Subscriber subscriber, Collection<String> followed, Position after) {
		return attach((newest) -> this.memory.holds(after)
				? join(subscriber, followed, after, "position", "-", this.metrics::replayed) : Mono.empty());
	}

	/** Starts a stream after the newest entry. */
	Mono<Subscriber> attach(Subscriber subscriber, Collection<String> followed) {
		return attach((newest) -> join(subscriber, followed, newest, "position", "-", (none) -> {
		}));
	}

	/**
	 * Starts a stream with a reset, because it is not known what happened after its
	 * position.
	 */
	Mono<Subscriber> attachReset(Subscriber subscriber, Collection<String> followed) {
		return attach(
				(newest) -> join(subscriber, followed, newest, "reset", MISSED, (events) -> this.metrics.reset(1)));
	}

	/**
	 * Joins once the feed has begun to read the log. An instance that has just started
	 * waits for that.
	 */
	private Mono<Subscriber> attach(Function<Position, Mono<Subscriber>> join) {
		return this.begun.asMono()
			.timeout(LONGEST_START, Mono.error(() -> new IllegalStateException("the log has not been read yet")))
			.then(Mono.defer(() -> {
				Position newest = Objects.requireNonNull(this.memory.newest());
				return this.open ? join.apply(newest) : Mono.error(new IllegalStateException("this instance stops"));
			}).subscribeOn(this.thread));
	}

	/**
	 * Joins on the subscriber's thread. The replay is passed to that thread before any
	 * later entry, so the order is right.
	 */
	private Mono<Subscriber> join(Subscriber subscriber, Collection<String> followed, Position after, String event,
			String data, IntConsumer replayed) {
		MissedEntries missed = this.memory.after(after);
		byte[] opening = EventFrame.opening(after, event, data, subscriber.interest().server());
		return this.loops.of(subscriber.executor()).run((loop) -> {
			Set<String> authors = loop.audience().join(subscriber, followed, life());
			subscriber
				.open(new Replay(opening, missed, (entry) -> subscriber.interest().wants(authors, entry), replayed));
		}).thenReturn(subscriber);
	}

	/**
	 * A random lifetime in nanoseconds, so that streams that were opened together do not
	 * end together.
	 */
	private long life() {
		long mean = this.properties.life().toNanos();
		return mean * 2 / 3 + (long) (ThreadLocalRandom.current().nextDouble() * mean * 2 / 3);
	}

	/** See {@link FeedBackfill#find}. */
	Mono<Boolean> find(Position position) {
		return this.backfill.find(position);
	}

	/** Removes a stream that is over. */
	void leave(Subscriber subscriber) {
		StreamLoop loop = this.loops.of(subscriber.executor());
		loop.execute(() -> loop.audience().leave(subscriber));
	}

	/** How many streams are open. */
	Mono<Integer> streams() {
		return this.loops.sum(Audience::size);
	}

	/** How many threads have, or had, streams. */
	int loops() {
		return this.loops.size();
	}

	/** From now on, no new streams are accepted. */
	void close() {
		this.open = false;
	}

	/**
	 * Ends a part of the open streams. Each browser waits a random time before it
	 * reconnects, to another instance.
	 * @param parts the part is one of this many equal ones
	 * @return how many streams are left
	 */
	Mono<Integer> endOneOf(int parts) {
		return this.loops.sum((audience) -> {
			audience.end((audience.size() + parts - 1) / parts, EventFrame::farewell);
			return audience.size();
		});
	}

	@Override
	public void start() {
		this.open = true;
		Flux<Void> reading = this.reader.signals(this::resume)
			.flatMapSequential(this::encode, CONCURRENCY)
			.publishOn(this.thread)
			.doOnNext(Runnable::run)
			.thenMany(Flux.empty());
		Flux<Void> beating = Flux.interval(TICK, this.thread)
			.onBackpressureDrop()
			.doOnNext((tick) -> this.heartbeat.beat())
			.thenMany(Flux.empty());
		this.running = Flux.merge(reading, beating)
			.doOnError(this::failed)
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, PAUSE))
			.subscribe(null, (error) -> logger.error("The live feed has ended", error));
	}

	/**
	 * The position to resume reading from: the newest entry that streams were sent. So no
	 * entry is lost or sent twice.
	 */
	private @Nullable Position resume() {
		this.failure = null;
		return this.memory.newest();
	}

	private void failed(Throwable error) {
		logger.error("The live feed has ended, and begins again", error);
		this.failure = error;
		this.metrics.restarted();
	}

	/**
	 * The error that the feed ended with, before it starts again; null while it runs.
	 */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Encodes a signal. The result runs on the feed's thread when it is the signal's
	 * turn.
	 */
	private Mono<Runnable> encode(LogSignal signal) {
		if (signal instanceof LogSignal.Next next) {
			return this.encoder.encode(next.entry()).map((entry) -> () -> deliver(entry));
		}
		return Mono.just(() -> begin(((LogSignal.Begin) signal).position()));
	}

	private void deliver(FeedEntry entry) {
		this.reader.delivered();
		this.memory.append(entry);
		this.loops.each((loop) -> {
			if (loop.audience().tell(entry)) {
				loop.flushLater(() -> this.metrics.written(entry.entry()));
			}
		});
		this.heartbeat.delivered(entry);
	}

	private void begin(Position position) {
		boolean again = this.memory.newest() != null;
		this.memory.begin(position);
		this.begun.tryEmitEmpty();
		this.backfill.restart();
		if (again) {
			byte[] reset = EventFrame.event(position, "reset", MISSED);
			this.loops.each((loop) -> {
				this.metrics.reset(loop.audience().size());
				loop.audience().sendToAll(reset);
			});
		}
	}

	/** Ends the streams that are still open. */
	@Override
	public void stop() {
		close();
		Disposable feed = this.running;
		this.running = null;
		if (feed != null) {
			feed.dispose();
			this.loops.each((loop) -> loop.audience().end(loop.audience().size(), EventFrame::farewell));
		}
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

	/**
	 * Starts before the web server and stops after it. As long as pages are served, the
	 * log must tell which posts they may no longer show.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
	}

}
