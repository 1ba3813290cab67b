package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import live.retwis.log.CommitLog;
import live.retwis.log.HeardPosition;
import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Announcement;
import live.retwis.log.LogListener;
import live.retwis.log.Position;
import live.retwis.redis.Availability;
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
 * The commit log as one stream, complete and in order. Two rules keep it whole: an
 * announcement whose predecessor is not the last entry seen makes it read the log from
 * there, and so does a second without announcements; if that finds something, the
 * subscription is dead and a new one is made. Everything happens on one thread.
 */
@Component
class LogReader {

	private static final Logger logger = LoggerFactory.getLogger(LogReader.class);

	/** Entries of one XRANGE. */
	private static final int BATCH = 1000;

	/**
	 * Entries on their way to the subscribers; past it the rest stays in the log for now.
	 */
	private static final int MOST_UNDELIVERED = 10_000;

	private static final Duration SECOND = Duration.ofSeconds(1);

	/**
	 * An instance that has just started may have no connection yet, and can open no
	 * stream before this succeeds.
	 */
	private static final Retry UNTIL_CONNECTED = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(50))
		.doBeforeRetry(LogReader::notYet);

	/** Retries after which it is told once more that reading is refused: ten seconds. */
	private static final int TOLD_AGAIN = 200;

	private final CommitLog log;

	private final LogSubscription bus;

	private final List<LogListener> listeners;

	private final HeardPosition heardLog;

	private final DeliveryMetrics trace;

	private final Scheduler thread = Schedulers.newSingle("live-feed", true);

	private Sinks.Many<LogSignal> signals = newSignals();

	/** Listeners that failed. */
	private final Sinks.Many<LogListener> startingAnew = Sinks.many().multicast().directBestEffort();

	private final Sinks.Many<Boolean> readings = Sinks.many().multicast().directBestEffort();

	/** Place of the last entry seen; null until known, and again when the log was cut. */
	private @Nullable Position last;

	/** Place of the last entry that the listeners know; null until there is one. */
	private @Nullable Position told;

	private boolean begun;

	private int undelivered;

	private boolean heard;

	/** Whether the reading under way was asked for by silence. */
	private boolean silence;

	/** Whether silence hid entries: no announcement of them has come yet. */
	private boolean suspect;

	LogReader(CommitLog log, LogSubscription bus, List<LogListener> listeners, HeardPosition heardLog,
			DeliveryMetrics trace) {
		this.log = log;
		this.bus = bus;
		this.listeners = listeners;
		this.heardLog = heardLog;
		this.trace = trace;
	}

	/** Where all happens, and where whoever hangs on it does its part. */
	Scheduler thread() {
		return this.thread;
	}

	/**
	 * The log from a place on; it goes on until cancelled, whatever happens to Redis.
	 * After an error of ours it may be asked for again. One at a time.
	 * @param delivered gives the place of the last entry that needs no repeating; null to
	 * begin after the newest one
	 */
	Flux<LogSignal> signals(Supplier<@Nullable Position> delivered) {
		return Flux.defer(() -> {
			this.last = delivered.get();
			this.undelivered = 0;
			this.signals = newSignals();
			return Flux.merge(this.signals.asFlux(), work().cast(LogSignal.class));
		}).subscribeOn(this.thread);
	}

	private static Sinks.Many<LogSignal> newSignals() {
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
		Flux<Void> preparing = this.startingAnew.asFlux()
			.flatMap((listener) -> listener.prepare().retryWhen(UNTIL_CONNECTED));
		return Flux.merge(reading, listening, ticking, preparing);
	}

	/** One entry less is on its way. Call on the thread. */
	void delivered() {
		this.undelivered--;
	}

	/** Reads the log without waiting for a gap or for silence. Call on the thread. */
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
			this.trace.replaced();
		}
		if (!this.heard) {
			this.silence = true;
			readNow();
		}
		this.heard = false;
	}

	/**
	 * One that does not lead on was overtaken by a reading, or the log was cut and has
	 * not caught up: it breaks no silence.
	 */
	private void announced(Announcement announcement) {
		Position position = announcement.entry().position();
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

	/** What fails in here, and not at Redis, is not hidden. */
	private Mono<Void> read() {
		return Mono.defer(() -> {
			Position from = this.last;
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

	private Mono<Position> head() {
		Mono<Position> head = this.log.head().publishOn(this.thread).flatMap(this::prepared);
		return this.begun ? head : head.retryWhen(UNTIL_CONNECTED);
	}

	/** A node that is away comes back; one that refuses does so until somebody acts. */
	private static void notYet(Retry.RetrySignal signal) {
		if (signal.totalRetries() % TOLD_AGAIN == 0 && !Availability.isAway(signal.failure())) {
			logger.error("The log cannot be read, so no page can be shown", signal.failure());
		}
	}

	/** What the listeners read then is no older than the newest entry. */
	private Mono<Position> prepared(Position newest) {
		this.listeners.forEach(LogListener::reset);
		return Flux.fromIterable(this.listeners).flatMap(LogListener::prepare).then(Mono.just(newest));
	}

	private void begin(Position newest) {
		this.last = newest;
		this.silence = false;
		this.begun = true;
		this.told = newest;
		this.heardLog.heard(newest);
		this.signals.tryEmitNext(new LogSignal.Begin(newest));
	}

	/**
	 * The entries start with the one seen last; where they do not, the log has been cut.
	 */
	private void caughtUp(Position from, List<LogEntry> entries) {
		boolean bySilence = this.silence;
		this.silence = false;
		if (entries.isEmpty() || !entries.get(0).position().equals(from)) {
			logger.warn("The log does not hold {} any more; all streams start anew", from);
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
			this.trace.gap(missed.size());
		}
		this.suspect = this.suspect || (bySilence && !missed.isEmpty());
		if (entries.size() == BATCH) {
			readNow();
		}
	}

	private void next(LogEntry entry) {
		this.last = entry.position();
		this.undelivered++;
		if (this.told == null || entry.position().compareTo(this.told) > 0) {
			this.listeners.forEach((listener) -> tell(listener, entry));
			this.told = entry.position();
			this.heardLog.heard(entry.position());
			this.trace.received(entry);
		}
		this.signals.tryEmitNext(new LogSignal.Next(entry));
	}

	/** One that fails starts anew: it must not go on with what may be half done. */
	private void tell(LogListener listener, LogEntry entry) {
		try {
			listener.accept(entry);
		}
		catch (RuntimeException ex) {
			logger.error("{} starts anew after {}", listener.getClass().getSimpleName(), entry, ex);
			listener.reset();
			this.startingAnew.tryEmitNext(listener);
		}
	}

}
