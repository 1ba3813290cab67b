package live.retwis.live;

import java.time.Duration;

import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Brings the commit log to the open streams of this instance: reads entries in order,
 * encodes each once, and passes it to {@link StreamRegistry}. After an unexpected error
 * it starts again from the last entry that the streams were sent.
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

	private final StreamRegistry streams;

	private final CommitLogTailer reader;

	private final EntryEncoder encoder;

	private final DeliveryMetrics metrics;

	private final FeedBackfill backfill;

	/** The error that the feed ended with; null while it runs. */
	private volatile @Nullable Throwable failure;

	private volatile @Nullable Disposable running;

	LiveFeed(StreamRegistry streams, CommitLog log, CommitLogTailer reader, EntryEncoder encoder,
			DeliveryMetrics metrics) {
		this.streams = streams;
		this.reader = reader;
		this.encoder = encoder;
		this.metrics = metrics;
		this.backfill = new FeedBackfill(streams.memory(), log, encoder, reader);
	}

	/** See {@link FeedBackfill#find}. */
	Mono<Boolean> find(LogPosition position) {
		return this.backfill.find(position);
	}

	@Override
	public void start() {
		this.streams.acceptNew(true);
		Flux<Void> reading = this.reader.signals(this::resume)
			.flatMapSequential(this::encode, CONCURRENCY)
			.publishOn(this.reader.thread())
			.doOnNext(Runnable::run)
			.thenMany(Flux.empty());
		Flux<Void> beating = Flux.interval(TICK, this.reader.thread())
			.onBackpressureDrop()
			.doOnNext((tick) -> this.streams.beat())
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
	private @Nullable LogPosition resume() {
		this.failure = null;
		return this.streams.memory().newest();
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
	private Mono<Runnable> encode(CommitLogTailerEvent signal) {
		if (signal instanceof CommitLogTailerEvent.Next next) {
			return this.encoder.encode(next.entry()).map((entry) -> () -> deliver(entry));
		}
		return Mono.just(() -> begin(((CommitLogTailerEvent.Begin) signal).position()));
	}

	private void deliver(FeedEntry entry) {
		this.reader.delivered();
		this.streams.deliver(entry);
	}

	private void begin(LogPosition position) {
		this.backfill.restart();
		this.streams.begin(position);
	}

	/** Ends the streams that are still open. */
	@Override
	public void stop() {
		this.streams.acceptNew(false);
		Disposable feed = this.running;
		this.running = null;
		if (feed != null) {
			feed.dispose();
			this.streams.endAll();
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
