package live.retwis.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import live.retwis.cluster.ClusterParts.Plan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks one thing at a time, and heals it after a while. All changes of parts are made
 * by one thread, one after the other. What is broken can be asked for meanwhile.
 */
final class ClusterFaultInjector implements AutoCloseable {

	/** Most changes that are kept of one breakage. */
	private static final int MOST_CHANGES = 200;

	/** How long the answer to a form takes at most, unless the machine is overloaded. */
	private static final long NOTICE_MILLIS = 1000;

	/** What could not be healed is healed again after this time. */
	private static final long AGAIN_MILLIS = 3000;

	/** Longest wait for a change that is being made when the program ends. */
	private static final long END_SECONDS = 30;

	private static final Logger log = LoggerFactory.getLogger(ClusterFaultInjector.class);

	private final Function<ClusterFaultRequest, Plan> plans;

	private final Runnable mending;

	private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread created = new Thread(task, "cluster-healer");
		created.setDaemon(true);
		return created;
	});

	private final List<PartChange> changes = new ArrayList<>();

	private long number;

	private @Nullable ClusterFaultRecord latest;

	private @Nullable ScheduledFuture<?> planned;

	/**
	 * Breaks nothing yet.
	 * @param plans chooses what a request breaks
	 * @param mending mends all parts, and those that have ended by themselves
	 */
	ClusterFaultInjector(Function<ClusterFaultRequest, Plan> plans, Runnable mending) {
		this.plans = plans;
		this.mending = mending;
		this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.thread.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Breaks something in a moment, so that the answer to the person who asked for it
	 * gets through before.
	 * @throws ClusterException when something is broken already, when there is no such
	 * part, or when the program ends
	 */
	synchronized void begin(ClusterFaultRequest request) {
		if (this.thread.isShutdown() || isBroken()) {
			throw new ClusterException("Something is broken already");
		}
		Plan plan = this.plans.apply(request);
		int seconds = Math.max(1, Math.min(request.seconds(), ClusterFaultRequest.MOST_SECONDS));
		long began = System.currentTimeMillis() + NOTICE_MILLIS;
		this.changes.clear();
		ClusterFaultRecord begun = new ClusterFaultRecord(++this.number, request.kind(), plan.part(), request.by(),
				began, began + seconds * 1000L, 0, List.of());
		this.latest = begun;
		this.thread.schedule(() -> run(begun, plan), NOTICE_MILLIS, TimeUnit.MILLISECONDS);
		healAfter(NOTICE_MILLIS + seconds * 1000L);
	}

	/**
	 * Does nothing if it was healed before its moment, even if something else is broken.
	 */
	private void run(ClusterFaultRecord begun, Plan plan) {
		if (isLatest(begun)) {
			plan.run().run();
		}
	}

	private synchronized boolean isLatest(ClusterFaultRecord one) {
		return this.latest == one;
	}

	private boolean isBroken() {
		return this.latest != null && this.latest.isActive();
	}

	private synchronized void healAfter(long millis) {
		if (this.planned != null) {
			this.planned.cancel(false);
		}
		if (!this.thread.isShutdown()) {
			this.planned = this.thread.schedule(this::mend, millis, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Begins to mend everything, also a part that has ended by itself. If that fails, it
	 * is tried again and again.
	 * @param longest how long to wait until all is mended
	 * @param unit of the time
	 */
	void heal(long longest, TimeUnit unit) {
		try {
			Future<?> mended = this.thread.submit(this::mend);
			mended.get(longest, unit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (TimeoutException ex) {
			log.info("Not all parts are mended yet");
		}
		catch (RejectedExecutionException | CancellationException | ExecutionException ex) {
			throw new ClusterException("Nothing is mended any more: the program ends", ex);
		}
	}

	private void mend() {
		ClusterFaultRecord broken = current();
		try {
			this.mending.run();
		}
		catch (RuntimeException ex) {
			log.warn("Not all parts could be mended. It is tried again in {} ms", AGAIN_MILLIS, ex);
			healAfter(AGAIN_MILLIS);
			return;
		}
		healed(broken);
	}

	private synchronized @Nullable ClusterFaultRecord current() {
		return this.latest;
	}

	private synchronized void healed(@Nullable ClusterFaultRecord broken) {
		if (broken != null && broken == this.latest && broken.isActive()) {
			if (this.planned != null) {
				this.planned.cancel(false);
			}
			this.latest = new ClusterFaultRecord(broken.id(), broken.kind(), broken.part(), broken.by(), broken.began(),
					broken.until(), System.currentTimeMillis(), List.of());
		}
	}

	/** Adds to the record of what was broken last. */
	synchronized void changed(PartChange change) {
		if (this.latest != null && this.changes.size() < MOST_CHANGES) {
			this.changes.add(change);
		}
	}

	/** What was broken last; null when nothing was. */
	synchronized @Nullable ClusterFaultRecord latest() {
		ClusterFaultRecord last = this.latest;
		return (last == null) ? null : new ClusterFaultRecord(last.id(), last.kind(), last.part(), last.by(),
				last.began(), last.until(), last.healed(), List.copyOf(this.changes));
	}

	/**
	 * From now on nothing is broken or started. Waits for what is being done.
	 */
	@Override
	public void close() {
		this.thread.shutdown();
		try {
			if (!this.thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
				this.thread.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			this.thread.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

}
