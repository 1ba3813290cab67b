package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import live.retwis.redis.CommitLog;
import live.retwis.redis.LiveProperties;
import live.retwis.redis.LogListener;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Brings the commit log to every open stream of this instance. Reading, remembering and
 * telling happen on one thread, so that a stream goes from its replay to live without a
 * gap and without a lock.
 */
@Component
class LiveFeed implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LiveFeed.class);

	/** Entries that are encoded at the same time. */
	private static final int CONCURRENCY = 64;

	/** How often streams are looked through for quiet ones. */
	private static final Duration TICK = Duration.ofSeconds(1);

	/** How long browsers wait before they connect again. */
	private static final Duration RETRY = Duration.ofSeconds(1);

	/**
	 * How often in the life of a remembered entry streams that got nothing are told where
	 * they are: none is left behind by more than half of what can be replayed.
	 */
	private static final int MARKS = 4;

	private static final int SHORTEST_RETRY_MILLIS = 500;

	private static final int LONGEST_RETRY_MILLIS = 5000;

	private final Scheduler thread = Schedulers.newSingle("live-feed", true);

	private final Audience audience = new Audience();

	private final LiveProperties properties;

	private final CommitLog log;

	private final EntryEncoder encoder;

	private final FeedMemory memory;

	private final LogReader reader;

	private final FeedHistory history;

	/** Entries delivered since streams were last told. */
	private int unmarked;

	/** When that was, by {@link System#nanoTime()}. */
	private long marked = System.nanoTime();

	private volatile @Nullable Disposable running;

	LiveFeed(LiveProperties properties, CommitLog log, Bus bus, List<LogListener> listeners, EntryEncoder encoder) {
		this.properties = properties;
		this.log = log;
		this.encoder = encoder;
		this.memory = new FeedMemory(properties.replay());
		this.reader = new LogReader(log, bus, listeners, this.thread);
		this.history = new FeedHistory(this.memory, log, encoder, this.thread);
	}

	/** A subscriber that nothing is told yet. */
	Subscriber subscriber(Interest interest) {
		return new Subscriber(interest, this.properties.buffer());
	}

	/** The subscriber is told of its user's follows and log-outs from here on. */
	Mono<Void> announce(Subscriber subscriber) {
		return Mono.<Void>fromRunnable(() -> this.audience.announce(subscriber)).subscribeOn(this.thread);
	}

	/**
	 * Goes live after the position.
	 * @param followed whom the subscriber's user follows
	 * @return what the stream starts with; empty when the position is not in the memory,
	 * but may be in the log; an error while this instance has nothing to go on with
	 */
	Mono<List<byte[]>> attach(Subscriber subscriber, Collection<String> followed, Optional<Position> after) {
		return Mono.defer(() -> {
			Position newest = this.memory.newest();
			if (newest == null) {
				return Mono.error(new IllegalStateException("the log has not been read yet"));
			}
			if (!isRunning()) {
				return Mono.error(new IllegalStateException("this instance stops"));
			}
			Position from = after.orElse(newest);
			if (!this.memory.holds(from)) {
				return Mono.empty();
			}
			this.audience.join(subscriber, followed);
			return Mono.just(opening(subscriber, from));
		}).subscribeOn(this.thread);
	}

	private List<byte[]> opening(Subscriber subscriber, Position from) {
		List<byte[]> frames = new ArrayList<>();
		frames.add(EventFrame.opening(RETRY, from, "position", "-"));
		Position last = from;
		for (FeedEntry entry : this.memory.after(from)) {
			last = entry.position();
			if (entry.frame() != null && subscriber.wants(entry.entry())) {
				frames.add(entry.frame());
			}
		}
		if (!last.equals(from)) {
			frames.add(EventFrame.event(last, "position", "-"));
		}
		return frames;
	}

	/** Goes live with a reset: nothing can be said about what came after the position. */
	Mono<List<byte[]>> attachReset(Subscriber subscriber, Collection<String> followed) {
		return attach(subscriber, followed, Optional.empty()).map((opening) -> {
			Position newest = Objects.requireNonNull(this.memory.newest());
			return List.of(EventFrame.opening(RETRY, newest, "reset", "{\"missed\":null}"));
		});
	}

	/**
	 * Looks for a position that is not in the memory. Where the log holds it, this
	 * instance is behind, or does not know yet that the log was cut.
	 * @return whether it is worth to attach again
	 */
	Mono<Boolean> fetch(Position position) {
		return Mono.defer(() -> {
			Position oldest = this.memory.oldest();
			if (oldest == null) {
				return Mono.just(false);
			}
			if (position.compareTo(oldest) >= 0) {
				return isInLog(position).filter(Boolean::booleanValue)
					.delayElement(Duration.ofMillis(50))
					.publishOn(this.thread)
					.doOnNext((there) -> this.reader.readNow())
					.defaultIfEmpty(false);
			}
			return this.history.canGoBack() ? this.history.goBack().thenReturn(true) : Mono.just(false);
		}).subscribeOn(this.thread);
	}

	private Mono<Boolean> isInLog(Position position) {
		return this.log.from(position, 1)
			.map((entries) -> !entries.isEmpty() && entries.get(0).position().equals(position));
	}

	/** The stream is over. */
	void leave(Subscriber subscriber) {
		this.thread.schedule(() -> this.audience.leave(subscriber));
	}

	/** How many streams are open. */
	Mono<Integer> streams() {
		return Mono.fromCallable(this.audience::size).subscribeOn(this.thread);
	}

	@Override
	public void start() {
		Flux<Void> reading = this.reader.signals()
			.flatMapSequential(this::encode, CONCURRENCY)
			.publishOn(this.thread)
			.doOnNext(Runnable::run)
			.thenMany(Flux.empty());
		Flux<Void> beating = Flux.interval(TICK, this.thread)
			.onBackpressureDrop()
			.doOnNext((tick) -> beat())
			.thenMany(Flux.empty());
		this.running = Flux.merge(reading, beating)
			.subscribe(null, (error) -> logger.error("The live feed has ended", error));
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
		this.audience.tell(entry);
		this.unmarked++;
		if (this.unmarked >= this.properties.replay() / MARKS) {
			mark(entry.position());
		}
	}

	/**
	 * A busy log leaves quiet streams behind sooner than their heartbeat tells them where
	 * they are; they could not be resumed.
	 */
	private void mark(Position newest) {
		long now = System.nanoTime();
		this.audience.sendToQuiet(EventFrame.event(newest, "position", "-"), Duration.ofNanos(now - this.marked));
		this.marked = now;
		this.unmarked = 0;
	}

	private void begin(Position position) {
		boolean again = this.memory.newest() != null;
		this.memory.begin(position);
		this.history.restart();
		if (again) {
			this.audience.sendToAll(EventFrame.event(position, "reset", "{\"missed\":null}"));
		}
	}

	private void beat() {
		Position newest = this.memory.newest();
		if (newest != null) {
			this.audience.sendToQuiet(EventFrame.event(newest, "position", "-"), this.properties.heartbeat());
		}
	}

	/**
	 * Ends all streams, before the web server stops: each browser comes back at a moment
	 * of its own, to another instance.
	 */
	@Override
	public void stop() {
		Disposable feed = this.running;
		this.running = null;
		if (feed != null) {
			feed.dispose();
			this.thread.schedule(() -> this.audience.endAll(LiveFeed::farewell));
		}
	}

	/** The last frame of a stream that this instance cannot serve now. */
	static byte[] farewell() {
		return EventFrame.retry(Duration
			.ofMillis(ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS + 1)));
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

	/** Started after, and stopped before, the web server. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE;
	}

}
