package live.retwis.timeline;

import java.time.Duration;

import live.retwis.redis.LiveProperties;
import live.retwis.redis.LogBacklog;
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
 * Knows how far fan-out is, and keeps the log from growing: looks twice a second. A
 * fail-over that keeps the log and loses what fan-out did is noticed by that: until then
 * pages may lack it.
 */
@Component
class FanOutProgress implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(FanOutProgress.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(500);

	private static final Duration TRIM_EVERY = Duration.ofSeconds(10);

	private final FanOutQueue queue;

	private final FanOutTaskQueue pieces;

	private final UnfinishedFanOut unfinished;

	private final PulledPosts pulled;

	private final OldPosts past;

	private final LogBacklog backlog;

	private final LiveProperties properties;

	private volatile FanOutState sample = FanOutState.NOT_BEGUN;

	private @Nullable Disposable keeping;

	FanOutProgress(FanOutQueue queue, FanOutTaskQueue pieces, UnfinishedFanOut unfinished, PulledPosts pulled,
			OldPosts past, LogBacklog backlog, LiveProperties properties) {
		this.queue = queue;
		this.pieces = pieces;
		this.unfinished = unfinished;
		this.pulled = pulled;
		this.past = past;
		this.backlog = backlog;
		this.properties = properties;
	}

	private Mono<Void> look() {
		return this.queue.state().flatMap((state) -> {
			this.sample = state;
			this.backlog.waits(state.waiting());
			return this.unfinished.settle(state);
		}).doOnNext((lost) -> {
			if (lost) {
				log.warn("What fan-out had done was lost; it is done again");
				this.pulled.reset();
				this.past.reset();
			}
		}).then();
	}

	/** Entries and pieces that waited when it was last looked. */
	long waiting() {
		return this.sample.waiting();
	}

	/** Entries that could not be done, as of then. */
	long dead() {
		return this.sample.dead();
	}

	/** How long the oldest of those that waited had waited then. */
	Duration oldest() {
		return this.sample.oldest();
	}

	@Override
	public void start() {
		this.keeping = Flux
			.merge(every(LOOK_EVERY, look()),
					every(TRIM_EVERY,
							Mono.defer(() -> this.queue.trim(this.properties.replay(), this.properties.replayEntries()))
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
