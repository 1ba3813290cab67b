package live.retwis.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Breaks one thing at a time, and heals it after a while. All changes of parts are made
 * here, one after the other.
 */
final class Breaks implements AutoCloseable {

	/** Most changes that are kept of one breakage. */
	private static final int MOST_CHANGES = 200;

	/** How long the answer to a form takes at most, unless the machine is overloaded. */
	private static final long NOTICE_MILLIS = 1000;

	private final ClusterParts parts;

	private final ScheduledExecutorService healer = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "cluster-healer");
		thread.setDaemon(true);
		return thread;
	});

	private final List<PartChange> changes = new ArrayList<>();

	private long number;

	private @Nullable Breakage latest;

	private @Nullable ScheduledFuture<?> healing;

	private boolean closed;

	Breaks(ClusterParts parts) {
		this.parts = parts;
	}

	/**
	 * Breaks something in a moment, so that the answer to the person who asked for it
	 * gets through before.
	 * @throws ClusterException when something is broken already, or there is no such part
	 */
	synchronized void begin(BreakOrder order) {
		if (this.closed || isBroken()) {
			throw new ClusterException("Something is broken already");
		}
		ClusterParts.Plan plan = this.parts.plan(order);
		int seconds = Math.max(1, Math.min(order.seconds(), BreakOrder.MOST_SECONDS));
		long began = System.currentTimeMillis() + NOTICE_MILLIS;
		this.changes.clear();
		Breakage begun = new Breakage(++this.number, order.kind(), plan.part(), order.by(), began,
				began + seconds * 1000L, 0, List.of());
		this.latest = begun;
		this.healer.schedule(() -> run(begun, plan), NOTICE_MILLIS, TimeUnit.MILLISECONDS);
		this.healing = this.healer.schedule(this::heal, NOTICE_MILLIS + seconds * 1000L, TimeUnit.MILLISECONDS);
	}

	/**
	 * Does nothing if it was healed before its moment, even if something else is broken.
	 */
	private synchronized void run(Breakage begun, ClusterParts.Plan plan) {
		if (!this.closed && this.latest == begun) {
			plan.run().run();
		}
	}

	private boolean isBroken() {
		return this.latest != null && this.latest.isActive();
	}

	/** Mends everything, also a part that has ended by itself. */
	synchronized void heal() {
		if (this.closed) {
			return;
		}
		ScheduledFuture<?> planned = this.healing;
		if (planned != null) {
			planned.cancel(false);
		}
		this.parts.heal();
		Breakage healed = this.latest;
		if (healed != null && healed.isActive()) {
			this.latest = new Breakage(healed.id(), healed.kind(), healed.part(), healed.by(), healed.began(),
					healed.until(), System.currentTimeMillis(), List.of());
		}
	}

	/** Adds to the record of what was broken last. */
	synchronized void changed(PartChange change) {
		if (this.latest != null && this.changes.size() < MOST_CHANGES) {
			this.changes.add(change);
		}
	}

	/** What was broken last; null when nothing was. */
	synchronized @Nullable Breakage latest() {
		Breakage last = this.latest;
		return (last == null) ? null : new Breakage(last.id(), last.kind(), last.part(), last.by(), last.began(),
				last.until(), last.healed(), List.copyOf(this.changes));
	}

	/** From now on nothing is broken or started. */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.healer.shutdownNow();
	}

}
