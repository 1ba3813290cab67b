package live.retwis.live;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntConsumer;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.log.LogRetentionProperties;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.HeartbeatProperties;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * The open streams of this instance. It opens a stream at a position, passes each entry
 * of the log to the streams that want it, and ends streams. Everything that concerns all
 * streams happens on the feed's thread, which passes tasks to the threads of the streams
 * in order. So a stream switches from its replay to live events without a gap and without
 * a lock.
 */
@Component
class StreamRegistry {

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

	private final StreamEventLoops loops;

	private final FeedMemory memory;

	private final HeartbeatSender heartbeat;

	private final LiveProperties properties;

	private final DeliveryMetrics metrics;

	/** Completes when the memory holds its first entry. */
	private final Sinks.Empty<Void> begun = Sinks.empty();

	/** Whether new streams are accepted. */
	private volatile boolean open;

	StreamRegistry(LiveProperties properties, HeartbeatProperties heartbeat, LogRetentionProperties replay,
			CommitLogTailer reader, DeliveryMetrics metrics) {
		this.thread = reader.thread();
		this.executor = this.thread::schedule;
		this.loops = new StreamEventLoops(metrics);
		this.memory = new FeedMemory(replay.replay(), replay.replayEntries(), properties.replayBytes());
		this.heartbeat = new HeartbeatSender(this.loops, this.memory, heartbeat.heartbeat(), replay.replay());
		this.properties = properties;
		this.metrics = metrics;
	}

	/** The entries that streams are resumed from. Used on the feed's thread only. */
	FeedMemory memory() {
		return this.memory;
	}

	/** Chooses how the events of this answer are written. */
	StreamOutlet outlet(ServerHttpResponse answer) {
		return NettyOutlet.of(answer, this.loops, this.properties)
			.orElseGet(() -> WebFluxOutlet.of(answer, this.executor, this.properties.buffer()));
	}

	/**
	 * From now on, the subscriber is told of the follows, restrictions and log-outs of
	 * its viewer.
	 */
	Mono<Void> announce(OpenStream subscriber) {
		return this.loops.of(subscriber.executor()).run((loop) -> loop.subscribers().announce(subscriber));
	}

	/** Leaves out the posts of these users. Call it before the stream starts. */
	Mono<Void> hide(OpenStream subscriber, HiddenAuthors hidden) {
		return hidden.isNobody() ? Mono.empty()
				: this.loops.of(subscriber.executor()).run((loop) -> subscriber.hide(hidden));
	}

	/**
	 * Starts a stream with the entries after the position.
	 * @param followed ids of the users whom the subscriber's user follows
	 * @return the subscriber; empty when the position is not in the memory but may be in
	 * the log; an error while this instance cannot serve streams
	 */
	Mono<OpenStream> attach(OpenStream subscriber, Collection<String> followed, LogPosition after) {
		return attach((newest) -> this.memory.holds(after)
				? join(subscriber, followed, after, "position", "-", this.metrics::replayed) : Mono.empty());
	}

	/** Starts a stream after the newest entry. */
	Mono<OpenStream> attach(OpenStream subscriber, Collection<String> followed) {
		return attach((newest) -> join(subscriber, followed, newest, "position", "-", (none) -> {
		}));
	}

	/**
	 * Starts a stream with a reset, because it is not known what happened after its
	 * position.
	 */
	Mono<OpenStream> attachReset(OpenStream subscriber, Collection<String> followed) {
		return attach(
				(newest) -> join(subscriber, followed, newest, "reset", MISSED, (events) -> this.metrics.reset(1)));
	}

	/**
	 * Joins once the feed has begun to read the log. An instance that has just started
	 * waits for that.
	 */
	private Mono<OpenStream> attach(Function<LogPosition, Mono<OpenStream>> join) {
		return this.begun.asMono()
			.timeout(LONGEST_START, Mono.error(() -> new IllegalStateException("the log has not been read yet")))
			.then(Mono.defer(() -> {
				LogPosition newest = Objects.requireNonNull(this.memory.newest());
				return this.open ? join.apply(newest) : Mono.error(new IllegalStateException("this instance stops"));
			}).subscribeOn(this.thread));
	}

	/**
	 * Joins on the subscriber's thread. The replay is passed to that thread before any
	 * later entry, so the order is right.
	 */
	private Mono<OpenStream> join(OpenStream subscriber, Collection<String> followed, LogPosition after, String event,
			String data, IntConsumer replayed) {
		MissedEntryIterator missed = this.memory.after(after);
		byte[] opening = ServerSentEventEncoder.opening(after, event, data, subscriber.interest().server());
		return this.loops.of(subscriber.executor()).run((loop) -> {
			Set<String> authors = loop.subscribers().join(subscriber, followed, life());
			subscriber.open(new Replay(opening, missed,
					(entry) -> subscriber.interest().wants(authors, entry) && !subscriber.hides(entry), replayed));
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

	/** Removes a stream that is over. */
	void leave(OpenStream subscriber) {
		StreamEventLoop loop = this.loops.of(subscriber.executor());
		loop.execute(() -> loop.subscribers().leave(subscriber));
	}

	/** How many streams are open. */
	Mono<Integer> streams() {
		return this.loops.sum(LoopSubscribers::size);
	}

	/** How many threads have, or had, streams. */
	int loops() {
		return this.loops.size();
	}

	/** Whether new streams are accepted from now on. */
	void acceptNew(boolean accepted) {
		this.open = accepted;
	}

	/**
	 * Ends a part of the open streams. Each browser waits a random time before it
	 * reconnects, to another instance.
	 * @param parts the part is one of this many equal ones
	 * @return how many streams are left
	 */
	Mono<Integer> endOneOf(int parts) {
		return this.loops.sum((subscribers) -> {
			subscribers.end((subscribers.size() + parts - 1) / parts, ServerSentEventEncoder::farewell);
			return subscribers.size();
		});
	}

	/** Ends all streams. */
	void endAll() {
		this.loops.each((loop) -> loop.subscribers().endAll(ServerSentEventEncoder::farewell));
	}

	/** Passes the next entry of the log to the streams. Call on the feed's thread. */
	void deliver(FeedEntry read) {
		FeedEntry entry = (read.entry().type() == LogEntry.Type.COUNTS)
				? read.repostedBy(this.memory.repostersOf(read.entry().post())) : read;
		this.memory.append(entry);
		this.loops.each((loop) -> {
			if (loop.subscribers().tell(entry)) {
				loop.flushLater(() -> this.metrics.written(entry.entry()));
			}
		});
		this.heartbeat.delivered(entry);
	}

	/**
	 * Starts at a position of which nothing before is known. Streams that are already
	 * open get a reset and end. When their browsers come back, everything that a stream
	 * knows of its viewer is read anew, because a fail-over may have lost a follow or a
	 * mute. Call on the feed's thread.
	 */
	void begin(LogPosition position) {
		boolean again = this.memory.newest() != null;
		this.memory.begin(position);
		this.begun.tryEmitEmpty();
		if (again) {
			this.loops.each((loop) -> {
				this.metrics.reset(loop.subscribers().size());
				loop.subscribers().endAll(() -> ServerSentEventEncoder.opening(position, "reset", MISSED, null));
			});
		}
	}

	/** See {@link HeartbeatSender#beat}. Call on the feed's thread. */
	void beat() {
		this.heartbeat.beat();
	}

}
