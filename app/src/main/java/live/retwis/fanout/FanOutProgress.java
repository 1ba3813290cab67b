package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import live.retwis.background.PeriodicTask;
import live.retwis.log.LogBacklog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Looks twice a second how far fan-out is. So it notices a fail-over that kept the log
 * and lost what fan-out had written: until then pages may lack it.
 */
@Component
class FanOutProgress extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(FanOutProgress.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(500);

	private final FanOutQueue queue;

	private final UnfinishedFanOut unfinished;

	private final List<FanOutLossListener> lossListeners;

	private final LogBacklog backlog;

	private volatile FanOutState sample = FanOutState.NOT_BEGUN;

	FanOutProgress(FanOutQueue queue, UnfinishedFanOut unfinished, List<FanOutLossListener> lossListeners,
			LogBacklog backlog) {
		super(LOOK_EVERY);
		this.queue = queue;
		this.unfinished = unfinished;
		this.lossListeners = lossListeners;
		this.backlog = backlog;
	}

	@Override
	protected Mono<Void> run() {
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

	/** From before the web server to after it, and to after the feed that tells it. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
