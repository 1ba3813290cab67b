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
 * Brings the commit log to every open stream of this instance. Reading and remembering
 * happen on one thread, which tells the threads of the streams in order, so that a stream
 * goes from its replay to live without a gap and without a lock.
 */
@Component
class LiveFeed implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LiveFeed.class);

	/** Entries that are encoded at the same time. */
	private static final int CONCURRENCY = 64;

	/** How often all streams are looked through for quiet and for old ones. */
	private static final Duration TICK = Duration.ofSeconds(1);

	/** Before the feed begins again after an error of ours. */
	private static final Duration PAUSE = Duration.ofMillis(500);

	/** As long as a page waits for it. */
	private static final Duration LONGEST_START = Duration.ofSeconds(2);

	/** How many entries were missed is not known. */
	private static final String MISSED = "{\"missed\":null}";

	private final Scheduler thread;

	/** The same thread, and always the same object, by which its streams are found. */
	private final Executor executor;

	private final StreamLoops loops;

	private final LiveProperties properties;

	private final EntryEncoder encoder;

	private final FeedMemory memory;

	private final LogReader reader;

	private final DeliveryMetrics trace;

	private final FeedBackfill history;

	private final Heartbeat heartbeat;

	/** Over when there is something in the memory. */
	private final Sinks.Empty<Void> begun = Sinks.empty();

	/** What the feed ended by; null while it runs. */
	private volatile @Nullable Throwable failure;

	private volatile @Nullable Disposable running;

	/** Whether streams are still opened. */
	private volatile boolean open;

	LiveFeed(LiveProperties properties, ReplayProperties replay, CommitLog log, LogReader reader, EntryEncoder encoder,
			DeliveryMetrics trace) {
		this.thread = reader.thread();
		this.executor = this.thread::schedule;
		this.loops = new StreamLoops(trace);
		this.properties = properties;
		this.encoder = encoder;
		this.memory = new FeedMemory(replay.replay(), replay.replayEntries(), properties.replayBytes());
		this.reader = reader;
		this.trace = trace;
		this.history = new FeedBackfill(this.memory, log, encoder, reader);
		this.heartbeat = new Heartbeat(this.loops, this.memory, properties.heartbeat(), replay.replay());
	}

	/** Where the events of that answer go. */
	StreamOutlet outlet(ServerHttpResponse answer) {
		return StreamWriter.of(answer, this.loops, this.properties)
			.orElseGet(() -> WebFluxOutlet.of(answer, this.executor, this.properties.buffer()));
	}

	/** The subscriber is told of its user's follows and log-outs from here on. */
	Mono<Void> announce(Subscriber subscriber) {
		return this.loops.of(subscriber.executor()).run((loop) -> loop.audience().announce(subscriber));
	}

	/**
	 * Goes live after the position.
	 * @param followed whom the subscriber's user follows
	 * @return the subscriber; empty when the position is not in the memory, but may be in
	 * the log; an error while this instance has nothing to go on with
	 */
	Mono<Subscriber> attach(Subscriber subscriber, Collection<String> followed, Position after) {
		return attach((newest) -> this.memory.holds(after)
				? join(subscriber, followed, after, "position", "-", this.trace::replayed) : Mono.empty());
	}

	/** Goes live after the newest entry. */
	Mono<Subscriber> attach(Subscriber subscriber, Collection<String> followed) {
		return attach((newest) -> join(subscriber, followed, newest, "position", "-", (none) -> {
		}));
	}

	/** Goes live with a reset: nothing can be said about what came after the position. */
	Mono<Subscriber> attachReset(Subscriber subscriber, Collection<String> followed) {
		return attach((newest) -> join(subscriber, followed, newest, "reset", MISSED, (events) -> this.trace.reset(1)));
	}

	/** An instance that has just started waits until it has begun to read the log. */
	private Mono<Subscriber> attach(Function<Position, Mono<Subscriber>> join) {
		return this.begun.asMono()
			.timeout(LONGEST_START, Mono.error(() -> new IllegalStateException("the log has not been read yet")))
			.then(Mono.defer(() -> {
				Position newest = Objects.requireNonNull(this.memory.newest());
				return this.open ? join.apply(newest) : Mono.error(new IllegalStateException("this instance stops"));
			}).subscribeOn(this.thread));
	}

	/**
	 * What the memory holds now goes to the subscriber's thread before all that comes
	 * later.
	 */
	private Mono<Subscriber> join(Subscriber subscriber, Collection<String> followed, Position after, String event,
			String data, IntConsumer replayed) {
		ReplayEntries missed = this.memory.after(after);
		byte[] opening = EventFrame.opening(after, event, data, subscriber.interest().server());
		return this.loops.of(subscriber.executor()).run((loop) -> {
			Set<String> authors = loop.audience().join(subscriber, followed, life());
			subscriber
				.open(new Replay(opening, missed, (entry) -> subscriber.interest().wants(authors, entry), replayed));
		}).thenReturn(subscriber);
	}

	/** No two live equally long, so that those that came together do not go together. */
	private long life() {
		long mean = this.properties.life().toNanos();
		return mean * 2 / 3 + (long) (ThreadLocalRandom.current().nextDouble() * mean * 2 / 3);
	}

	/** As {@link FeedBackfill#find}. */
	Mono<Boolean> find(Position position) {
		return this.history.find(position);
	}

	/** The stream is over. */
	void leave(Subscriber subscriber) {
		StreamLoop loop = this.loops.of(subscriber.executor());
		loop.execute(() -> loop.audience().leave(subscriber));
	}

	/** How many streams are open. */
	Mono<Integer> streams() {
		return this.loops.sum(Audience::size);
	}

	/** How many threads have, or had, streams to write. */
	int loops() {
		return this.loops.size();
	}

	/** No stream is opened from here on. */
	void close() {
		this.open = false;
	}

	/**
	 * Ends one of so many equal parts of the open streams: each browser comes back at a
	 * moment of its own, to another instance.
	 * @return how many are left
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

	/** Nothing after the last entry that streams were told is lost or told twice. */
	private @Nullable Position resume() {
		this.failure = null;
		return this.memory.newest();
	}

	private void failed(Throwable error) {
		logger.error("The live feed has ended, and begins again", error);
		this.failure = error;
		this.trace.restarted();
	}

	/** What the feed ended by, which begins again soon; null while it runs. */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/** What to do on the thread when it is the signal's turn. */
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
				loop.flushLater(() -> this.trace.written(entry.entry()));
			}
		});
		this.heartbeat.delivered(entry);
	}

	private void begin(Position position) {
		boolean again = this.memory.newest() != null;
		this.memory.begin(position);
		this.begun.tryEmitEmpty();
		this.history.restart();
		if (again) {
			byte[] reset = EventFrame.event(position, "reset", MISSED);
			this.loops.each((loop) -> {
				this.trace.reset(loop.audience().size());
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
	 * Started before, and stopped after, the web server: as long as pages are served, the
	 * log tells what they must not show any more.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
	}

}
