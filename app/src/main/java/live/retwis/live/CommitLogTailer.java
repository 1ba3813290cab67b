package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import jakarta.annotation.PreDestroy;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Announcement;
import live.retwis.log.LogPosition;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Reads the commit log as one stream, complete and in order. Two rules ensure that.
 * First, each announcement names the entry before it; if that is not the last entry seen,
 * the log is read from there. Second, the log is also read after a second without
 * announcements; if that finds entries, the subscription is dead and is replaced.
 * Everything happens on one thread.
 */
@Component
class CommitLogTailer {

	private static final Logger logger = LoggerFactory.getLogger(CommitLogTailer.class);

	/** Entries that one XRANGE reads. */
	private static final int BATCH = 1000;

	/**
	 * Most entries that are on their way to subscribers. Above this, reading pauses, and
	 * further entries stay in the log.
	 */
	private static final int MOST_UNDELIVERED = 10_000;

	private static final Duration SECOND = Duration.ofSeconds(1);

	/**
	 * Retries until the first read succeeds. An instance that has just started may not be
	 * connected yet, and cannot open streams before that.
	 */
	private static final Retry UNTIL_CONNECTED = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(50))
		.doBeforeRetry(CommitLogTailer::logRefusal);

	/**
	 * After this many retries, that is ten seconds, an error that says the read is
	 * refused is logged again.
	 */
	private static final int TOLD_AGAIN = 200;

	private final CommitLog log;

	private final PubSubSubscription bus;

	private final LogListenerDispatcher listeners;

	private final DeliveryMetrics metrics;

	private final Scheduler thread = Schedulers.newSingle("live-feed", true);

	private Sinks.Many<CommitLogTailerEvent> signals = newSignals();

	private final Sinks.Many<Boolean> readings = Sinks.many().multicast().directBestEffort();

	/**
	 * Position of the last entry seen; null until one is known, and after the log was
	 * cut.
	 */
	private @Nullable LogPosition last;

	private boolean begun;

	private int undelivered;

	private boolean heard;

	/** Whether the read in progress was caused by silence. */
	private boolean silence;

	/** Whether a read after silence has found entries that are still not announced. */
	private boolean suspect;

	CommitLogTailer(CommitLog log, PubSubSubscription bus, LogListenerDispatcher listeners, DeliveryMetrics metrics) {
		this.log = log;
		this.bus = bus;
		this.listeners = listeners;
		this.metrics = metrics;
	}

	/** The thread that everything runs on. Users of the feed work on it too. */
	Scheduler thread() {
		return this.thread;
	}

	@PreDestroy
	void close() {
		this.thread.dispose();
	}

	/**
	 * The log from a position on. It continues until cancelled, whatever happens to
	 * Redis. After an error in our own code it may be subscribed to again. Only one
	 * subscription at a time.
	 * @param delivered supplies the position of the last entry that need not be repeated;
	 * null to begin after the newest entry
	 */
	Flux<CommitLogTailerEvent> signals(Supplier<@Nullable LogPosition> delivered) {
		return Flux.defer(() -> {
			this.last = delivered.get();
			this.undelivered = 0;
			this.signals = newSignals();
			return Flux.merge(this.signals.asFlux(), work().cast(CommitLogTailerEvent.class));
		}).subscribeOn(this.thread);
	}

	private static Sinks.Many<CommitLogTailerEvent> newSignals() {
		return Sinks.many().unicast().onBackpressureBuffer();
	}

	private Flux<Void> work() {
		Flux<Void> reading = this.readings.asFlux().onBackpressureLatest().concatMap((wanted) -> read(), 0);
		Flux<Void> listening = this.bus.announcements()
			.publishOn(this.thread)
			.doOnNext(this::announced)
			.thenMany(Flux.empty());
		Flux<Void> ticking = Flux.interval(Duration.ZERO, SECOND, this.thread)
			.onBackpressureDrop()
			.doOnNext((tick) -> second())
			.thenMany(Flux.empty());
		return Flux.merge(reading, listening, ticking, this.listeners.preparing(UNTIL_CONNECTED));
	}

	/** One entry has been delivered. Call on the thread. */
	void delivered() {
		this.undelivered--;
	}

	/** Reads the log now, without waiting for a gap or silence. Call on the thread. */
	void readNow() {
		if (this.undelivered < MOST_UNDELIVERED) {
			this.readings.tryEmitNext(true);
		}
	}

	private void second() {
		if (this.suspect) {
			this.suspect = false;
			logger.warn("The subscription to the bus is dead; making a new one");
			this.bus.renew();
			this.metrics.replaced();
		}
		if (!this.heard) {
			this.silence = true;
			readNow();
		}
		this.heard = false;
	}

	/**
	 * Handles an announcement. If it announces no newer entry, then a read was faster, or
	 * the log was cut and has not caught up. Such an announcement does not count as a
	 * sign of life.
	 */
	private void announced(Announcement announcement) {
		LogPosition position = announcement.entry().position();
		if (this.last == null) {
			return;
		}
		this.heard = this.heard || position.compareTo(this.last) > 0;
		if (position.compareTo(this.last) <= 0) {
			this.suspect = false;
		}
		else if (announcement.previous().equals(this.last.toString()) && this.undelivered < MOST_UNDELIVERED) {
			next(announcement.entry());
		}
		else {
			readNow();
		}
	}

	/**
	 * Reads from the log. Failed Redis calls are skipped, because the next read repeats
	 * them. Other errors are passed on.
	 */
	private Mono<Void> read() {
		return Mono.defer(() -> {
			LogPosition from = this.last;
			return (from == null) ? orLater(head()).doOnNext(this::begin).then()
					: orLater(this.log.from(from, BATCH)).doOnNext((entries) -> caughtUp(from, entries)).then();
		}).subscribeOn(this.thread);
	}

	private <T> Mono<T> orLater(Mono<T> answer) {
		return answer.onErrorResume((error) -> {
			logger.debug("The log cannot be read now: {}", error.toString());
			return Mono.empty();
		}).publishOn(this.thread);
	}

	private Mono<LogPosition> head() {
		Mono<LogPosition> head = this.log.head()
			.publishOn(this.thread)
			.flatMap((newest) -> this.listeners.prepare().thenReturn(newest));
		return this.begun ? head : head.retryWhen(UNTIL_CONNECTED);
	}

	/**
	 * Logs an error when the node refuses the read. A node that is away comes back by
	 * itself, but one that refuses does so until somebody acts.
	 */
	private static void logRefusal(Retry.RetrySignal signal) {
		if (signal.totalRetries() % TOLD_AGAIN == 0 && !RedisErrorClassifier.isAway(signal.failure())) {
			logger.error("The log cannot be read, so no page can be shown", signal.failure());
		}
	}

	private void begin(LogPosition newest) {
		this.last = newest;
		this.silence = false;
		this.begun = true;
		this.listeners.begin(newest);
		this.signals.tryEmitNext(new CommitLogTailerEvent.Begin(newest));
	}

	/**
	 * Handles entries that were read. They must begin with the entry from which they were
	 * read, and go on with those that were announced meanwhile; if not, the log was cut.
	 */
	private void caughtUp(LogPosition from, List<LogEntry> entries) {
		boolean bySilence = this.silence;
		this.silence = false;
		if (entries.isEmpty() || !entries.get(0).position().equals(from) || lacksAnnounced(entries)) {
			logger.warn("The log does not hold {} any more; all streams start anew", this.last);
			this.last = null;
			readNow();
			return;
		}
		List<LogEntry> missed = entries.stream()
			.filter((entry) -> this.last != null && entry.position().compareTo(this.last) > 0)
			.limit(MOST_UNDELIVERED - this.undelivered)
			.toList();
		missed.forEach(this::next);
		if (!missed.isEmpty()) {
			this.metrics.gap(missed.size());
		}
		this.suspect = this.suspect || (bySilence && !missed.isEmpty());
		if (entries.size() == BATCH) {
			readNow();
		}
	}

	/**
	 * A former master may still announce entries that the master which was read lacks.
	 */
	private boolean lacksAnnounced(List<LogEntry> entries) {
		LogPosition last = this.last;
		return last != null && entries.get(entries.size() - 1).position().compareTo(last) > 0
				&& entries.stream().noneMatch((entry) -> entry.position().equals(last));
	}

	private void next(LogEntry entry) {
		this.last = entry.position();
		this.undelivered++;
		if (this.listeners.tell(entry)) {
			this.metrics.received(entry);
		}
		this.signals.tryEmitNext(new CommitLogTailerEvent.Next(entry));
	}

}
