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
import live.retwis.locks.lab.play.FreePlayAction;
import live.retwis.locks.lab.report.LabReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Plays runs, one at a time, on a thread of its own. A run is stopped after {@code
 * retwis.lab.limit}, and when the instance stops. The run's nodes and clients are
 * processes, and all of them end with the run.
 */
@ConditionalOnLab
class LabRunner implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LabRunner.class);

	/** Time between two messages to the open pages. */
	private static final Duration SEND_EVERY = Duration.ofMillis(100);

	/**
	 * All that watchers are told of a failure. Its message may name files of the machine.
	 */
	private static final String FAILED = "failed";

	/** Longest wait until a finished run is stored. */
	private static final Duration LONGEST_STORING = Duration.ofSeconds(10);

	private final LabFeed feed;

	private final LabRunRepository runs;

	private final LabProperties properties;

	private final LabRunFairness turns = new LabRunFairness(System::nanoTime);

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
	 * @param by name of the user who begins the run
	 * @return false if another run is under way, if it is another user's turn, or if the
	 * instance is stopping
	 */
	synchronized boolean begin(RunSummary head, RunRequest order, String by) {
		ScheduledExecutorService timer = this.clock;
		if (this.busy || timer == null || isOthersTurn(by)) {
			this.turns.refuse(by);
			return false;
		}
		ActiveRun run = new ActiveRun(head, order, by, this.feed);
		this.busy = true;
		this.turns.begin(by);
		this.latest = run;
		this.feed.begin(head);
		ScheduledFuture<?> limit = timer.schedule(run::stop, this.properties.limit().toMillis(), TimeUnit.MILLISECONDS);
		Thread playing = new Thread(() -> play(run, limit), "lab");
		playing.setDaemon(true);
		playing.start();
		return true;
	}

	/**
	 * Whether this user has begun a run in the last five minutes, and now another one is
	 * waiting for a turn.
	 */
	synchronized boolean isOthersTurn(String by) {
		return this.turns.isOthersTurn(by);
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
			logger.warn("Run {} of the lab failed and was not stored", run.head().id(), ex);
			error = FAILED;
		}
		finally {
			limit.cancel(false);
			run.ended(stored, error);
			over();
		}
	}

	/** Blocks. This is allowed because the thread is not an event loop. */
	private void store(RunSummary head, LabReport report) {
		try {
			this.runs.save(head, report).toFuture().get(LONGEST_STORING.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The run was played, but could not be stored", ex);
		}
	}

	private synchronized void over() {
		this.busy = false;
	}

	/** The current run. */
	synchronized Optional<ActiveRun> underWay() {
		return this.busy ? Optional.ofNullable(this.latest) : Optional.empty();
	}

	/** The current run, or the last one since the instance started. */
	synchronized Optional<ActiveRun> latest() {
		return Optional.ofNullable(this.latest);
	}

	/**
	 * Ends the current run for a user. Does not wait for the end.
	 * @return false if another user has begun the run
	 */
	boolean finishRun(String by) {
		Optional<ActiveRun> own = underWay().filter((run) -> run.by().equals(by));
		own.ifPresent(ActiveRun::finish);
		return own.isPresent() || underWay().isEmpty();
	}

	/**
	 * Ends the current run, whoever has begun it. Does not wait for the end.
	 * @return false if the current run is another one
	 */
	boolean finishRunWithId(String id) {
		Optional<ActiveRun> found = underWay().filter((run) -> run.head().id().equals(id));
		found.ifPresent(ActiveRun::finish);
		return found.isPresent();
	}

	/** Whether another user has begun the current run. */
	boolean isOthers(String by) {
		return underWay().filter((run) -> !run.by().equals(by)).isPresent();
	}

	/**
	 * Asks for an action on a node or a client of the user's own run.
	 * @return false if the user has begun no run that takes actions, or if the run has no
	 * such node
	 */
	boolean act(FreePlayAction action, String by) {
		return underWay().filter((run) -> run.by().equals(by)).map((run) -> run.act(action)).orElse(false);
	}

	@Override
	public synchronized void start() {
		ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "lab-clock");
			thread.setDaemon(true);
			return thread;
		});
		ticking.scheduleAtFixedRate(this.feed::tick, SEND_EVERY.toMillis(), SEND_EVERY.toMillis(),
				TimeUnit.MILLISECONDS);
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
			// Nothing waits for the run here.
		});
	}

	@Override
	public synchronized boolean isRunning() {
		return this.clock != null;
	}

	/**
	 * Stops after {@code StreamDrain}, and before the web server, which would wait for
	 * the open streams.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1;
	}

}
