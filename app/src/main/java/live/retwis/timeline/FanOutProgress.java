package live.retwis.timeline;

import java.time.Duration;
import java.util.Optional;

import live.retwis.redis.LiveProperties;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LogListener;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Knows the position that fan-out is complete up to, and keeps the log from growing. The
 * position is sampled twice a second, not for each page: a page with an older one only
 * makes its stream send again what the page's script passes over.
 */
@Component
class FanOutProgress implements LogListener, SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(FanOutProgress.class);

	private static final Duration SAMPLE_EVERY = Duration.ofMillis(500);

	private static final Duration TRIM_EVERY = Duration.ofSeconds(10);

	private final FanOutQueue queue;

	private final PieceQueue pieces;

	private final LiveProperties properties;

	private volatile @Nullable Position sample;

	private volatile long waiting;

	private volatile long dead;

	private volatile Duration oldest = Duration.ZERO;

	private @Nullable Disposable keeping;

	FanOutProgress(FanOutQueue queue, PieceQueue pieces, LiveProperties properties) {
		this.queue = queue;
		this.pieces = pieces;
		this.properties = properties;
	}

	/**
	 * A position that fan-out is complete up to: the last sample, or a fresh one when
	 * there is none yet. Ask before reading a timeline.
	 */
	Mono<Optional<Position>> position() {
		Position known = this.sample;
		return (known != null) ? Mono.just(Optional.of(known)) : measure();
	}

	private Mono<Optional<Position>> measure() {
		return this.queue.state().map((state) -> {
			this.sample = state.complete();
			this.waiting = state.waiting();
			this.dead = state.dead();
			this.oldest = state.oldest();
			return state.position();
		});
	}

	/** Entries and pieces that waited when the last sample was taken. */
	long waiting() {
		return this.waiting;
	}

	/** Entries that could not be done, as of the last sample. */
	long dead() {
		return this.dead;
	}

	/** How long the oldest of those that waited had waited when it was taken. */
	Duration oldest() {
		return this.oldest;
	}

	@Override
	public void accept(LogEntry entry) {
		// The next sample tells.
	}

	@Override
	public void reset() {
		this.sample = null;
	}

	@Override
	public void start() {
		this.keeping = Flux.merge(every(SAMPLE_EVERY, measure().then()),
				every(TRIM_EVERY,
						Mono.defer(() -> this.queue.trim(this.properties.replayEntries()))
							.then(this.queue.dropConsumers())
							.then(this.pieces.dropConsumers())))
			.subscribe();
	}

	private static Flux<Void> every(Duration period, Mono<Void> step) {
		return Flux.interval(period).onBackpressureDrop().concatMap((tick) -> step.onErrorResume((error) -> {
			log.debug("The log is looked after later: {}", error.toString());
			return Mono.empty();
		}), 1);
	}

	@Override
	public void stop() {
		if (this.keeping != null) {
			this.keeping.dispose();
			this.keeping = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.keeping != null;
	}

	/** From before the web server to after it, and to after the feed that tells it. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
