package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import live.retwis.background.PeriodicTask;
import live.retwis.log.LogAdmissionControl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Checks twice a second how far fan-out is. This also detects a fail-over that kept the
 * log but lost what fan-out had written. Until it is detected, pages may lack posts. When
 * more than a thousand entries have tasks or are postponed, all of them are read every
 * ten seconds only: each thousand costs Redis a few milliseconds.
 */
@Component
class FanOutMonitor extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(FanOutMonitor.class);

	private static final Duration LOOK_EVERY = Duration.ofMillis(500);

	/** One look out of so many reads the whole state. */
	private static final int WHOLE_EVERY = 20;

	private final FanOutQueue queue;

	private final PendingFanOutIndex unfinished;

	private final List<FanOutLossListener> lossListeners;

	private final LogAdmissionControl admission;

	private int looks;

	private volatile FanOutSnapshot sample = FanOutSnapshot.NOT_BEGUN;

	FanOutMonitor(FanOutQueue queue, PendingFanOutIndex unfinished, List<FanOutLossListener> lossListeners,
			LogAdmissionControl admission) {
		super(LOOK_EVERY);
		this.queue = queue;
		this.unfinished = unfinished;
		this.lossListeners = lossListeners;
		this.admission = admission;
	}

	@Override
	protected Mono<Void> run() {
		Mono<FanOutSnapshot> look = (this.looks++ % WHOLE_EVERY == 0) ? this.queue.wholeState() : this.queue.state();
		return look.flatMap((state) -> {
			this.sample = state;
			this.admission.waits(state.waiting());
			return this.unfinished.removeDone(state);
		}).doOnNext((lost) -> {
			if (lost) {
				log.warn("What fan-out had done was lost, or given back by the doctor; it is done again");
				this.lossListeners.forEach(FanOutLossListener::fanOutWasLost);
			}
		}).then();
	}

	/**
	 * Entries from the oldest one on that was not done at the last check, and unfinished
	 * tasks.
	 */
	long waiting() {
		return this.sample.waiting();
	}

	/** Entries that could not be processed, as of the last check. */
	long dead() {
		return this.sample.dead();
	}

	/** How long the oldest waiting entry had waited, as of the last check. */
	Duration oldest() {
		return this.sample.oldest();
	}

	/**
	 * Starts before the web server and stops after it. It also starts before the feed,
	 * and stops after it, because the feed tells it of entries.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
