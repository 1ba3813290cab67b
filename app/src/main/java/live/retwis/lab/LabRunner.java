package live.retwis.lab;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.play.ManualAction;
import live.retwis.locks.lab.report.LabReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * The one run of this instance. It is played on a thread of its own, takes
 * {@code retwis.lab.limit} at most, and ends with the instance: its nodes and clients are
 * processes, and none is left behind.
 */
@ConditionalOnLab
class LabRunner implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LabRunner.class);

	/** How often open pages are told what happened. */
	private static final Duration TICK = Duration.ofMillis(100);

	/** How long a run that is over waits to be stored. */
	private static final Duration STORING = Duration.ofSeconds(10);

	private final LabFeed feed;

	private final LabRunRepository runs;

	private final LabProperties properties;

	private @Nullable ScheduledExecutorService clock;

	private @Nullable ActiveRun latest;

	private boolean busy;

	LabRunner(LabFeed feed, LabRunRepository runs, LabProperties properties) {
		this.feed = feed;
		this.runs = runs;
		this.properties = properties;
	}

	/**
	 * Begins a run and returns at once.
	 * @param by who begins it
	 * @return whether it was begun; not while another one is under way
	 */
	synchronized boolean begin(RunSummary head, RunRequest order, String by) {
		ScheduledExecutorService timer = this.clock;
		if (this.busy || timer == null) {
			return false;
		}
		ActiveRun run = new ActiveRun(head, order, by, this.feed);
		this.busy = true;
		this.latest = run;
		this.feed.begin(head);
		ScheduledFuture<?> limit = timer.schedule(run::stop, this.properties.limit().toMillis(), TimeUnit.MILLISECONDS);
		Thread playing = new Thread(() -> play(run, limit), "lab");
		playing.setDaemon(true);
		playing.start();
		return true;
	}

	private void play(ActiveRun run, ScheduledFuture<?> limit) {
		boolean stored = false;
		String error = "";
		try {
			LabReport report = run.play();
			if (!report.rounds().isEmpty()) {
				store(run.head(), report);
				stored = true;
			}
		}
		catch (RuntimeException ex) {
			logger.warn("The run {} of the lab failed", run.head().id(), ex);
			error = String.valueOf(ex.getMessage());
		}
		finally {
			limit.cancel(false);
			run.ended(stored, error);
			over();
		}
	}

	/** This thread may wait, it is nobody's event loop. */
	private void store(RunSummary head, LabReport report) {
		try {
			this.runs.save(head, report).toFuture().get(STORING.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The run is over, and could not be stored", ex);
		}
	}

	private synchronized void over() {
		this.busy = false;
	}

	/** The run under way. */
	synchronized Optional<ActiveRun> underWay() {
		return this.busy ? Optional.ofNullable(this.latest) : Optional.empty();
	}

	/** The run under way, or the last one since this instance began. */
	synchronized Optional<ActiveRun> latest() {
		return Optional.ofNullable(this.latest);
	}

	/** Ends the run under way, because people want it to; does not wait for that. */
	void finishRun() {
		underWay().ifPresent(ActiveRun::finish);
	}

	/**
	 * Asks for something to be done to a node.
	 * @return whether a run is under way in which people may
	 */
	boolean act(ManualAction action) {
		return underWay().map((run) -> run.act(action)).orElse(false);
	}

	@Override
	public synchronized void start() {
		ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "lab-clock");
			thread.setDaemon(true);
			return thread;
		});
		ticking.scheduleAtFixedRate(this.feed::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
		this.clock = ticking;
	}

	@Override
	public void stop(Runnable done) {
		Optional<ActiveRun> run = underWay();
		end();
		run.ifPresent(ActiveRun::stop);
		if (run.isEmpty()) {
			done.run();
		}
		else {
			run.get().end().thenRun(done);
		}
	}

	private synchronized void end() {
		this.feed.close();
		if (this.clock != null) {
			this.clock.shutdownNow();
			this.clock = null;
		}
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nobody waits for it.
		});
	}

	@Override
	public synchronized boolean isRunning() {
		return this.clock != null;
	}

	/** After {@code Drain}, and before the web server, which waits for open streams. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1;
	}

}
