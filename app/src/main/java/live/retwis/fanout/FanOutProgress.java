package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import live.retwis.log.LogBacklog;
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
 * Looks twice a second how far fan-out is. So it notices a fail-over that kept the log
 * and lost what fan-out had written: until then pages may lack it.
 */
@Component
class FanOutProgress implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(FanOutProgress.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(500);

	private final FanOutQueue queue;

	private final UnfinishedFanOut unfinished;

	private final List<FanOutLossListener> lossListeners;

	private final LogBacklog backlog;

	private volatile FanOutState sample = FanOutState.NOT_BEGUN;

	private @Nullable Disposable looking;

	FanOutProgress(FanOutQueue queue, UnfinishedFanOut unfinished, List<FanOutLossListener> lossListeners,
			LogBacklog backlog) {
		this.queue = queue;
		this.unfinished = unfinished;
		this.lossListeners = lossListeners;
		this.backlog = backlog;
	}

	private Mono<Void> look() {
		return this.queue.state().flatMap((state) -> {
			this.sample = state;
			this.backlog.waits(state.waiting());
			return this.unfinished.settle(state);
		}).doOnNext((lost) -> {
			if (lost) {
				log.warn("What fan-out had done was lost; it is done again");
				this.lossListeners.forEach(FanOutLossListener::fanOutWasLost);
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
		this.looking = Flux.interval(LOOK_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> look().onErrorResume((error) -> {
				log.debug("How far fan-out is, is looked at later: {}", error.toString());
				return Mono.empty();
			}), 1)
			.subscribe();
	}

	@Override
	public void stop() {
		if (this.looking != null) {
			this.looking.dispose();
			this.looking = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.looking != null;
	}

	/** From before the web server to after it, and to after the feed that tells it. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
