package live.retwis.locks;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * One line for each resource that callers of this process want. Only one of them asks the
 * nodes, and has the lease then; the others would take votes from it, and need no node to
 * know that it is taken.
 * <p>
 * Whoever comes when the resource is free may go before those that wait, for they have to
 * be called first, but only so often in a row: nobody waits for ever.
 */
final class LocalQueues {

	/** How often in a row somebody may go before those that wait. */
	static final int MOST_OVERTAKINGS = 4;

	/** For those who are there already: about as long as a round of votes. */
	static final Duration GRACE = Duration.ofMillis(1);

	private final Scheduler timers;

	/** By resource; those that nobody stands in are not kept. Guarded by itself. */
	private final Map<String, Line> lines = new HashMap<>();

	LocalQueues(Scheduler timers) {
		this.timers = timers;
	}

	/**
	 * Stands in line.
	 * @return a turn, to be {@link #leave left} whether it came or not; never an error
	 */
	CompletableFuture<Void> enter(String resource) {
		CompletableFuture<Void> turn = new CompletableFuture<>();
		synchronized (this.lines) {
			this.lines.computeIfAbsent(resource, (name) -> new Line()).enter(turn);
		}
		return turn;
	}

	/** Gives up the turn or the place; a second time changes nothing. */
	void leave(String resource, CompletableFuture<Void> turn) {
		Duration grace;
		synchronized (this.lines) {
			Line line = this.lines.get(resource);
			if (line == null || !line.leave(turn)) {
				return;
			}
			if (line.waiting.isEmpty()) {
				this.lines.remove(resource);
				return;
			}
			grace = line.grace();
		}
		if (grace.isZero()) {
			callNext(resource);
		}
		else {
			this.timers.schedule(() -> callNext(resource), grace.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private void callNext(String resource) {
		CompletableFuture<Void> next;
		synchronized (this.lines) {
			Line line = this.lines.get(resource);
			next = (line != null) ? line.next() : null;
		}
		if (next != null) {
			next.complete(null);
		}
	}

	/** Whose turn it is has the lease now. */
	void held(String resource) {
		synchronized (this.lines) {
			Line line = this.lines.get(resource);
			if (line != null) {
				line.held = true;
			}
		}
	}

	/** Whose turn it is was refused, which holds for those that wait, too. */
	void refused(String resource, LockException refusal) {
		synchronized (this.lines) {
			Line line = this.lines.get(resource);
			if (line != null) {
				line.refusal = refusal;
			}
		}
	}

	/** Why those that wait have it not; null while that is not known. */
	@Nullable LockException refusal(String resource) {
		synchronized (this.lines) {
			Line line = this.lines.get(resource);
			return (line == null) ? null : line.held ? new LockTaken(resource) : line.refusal;
		}
	}

	int size() {
		synchronized (this.lines) {
			return this.lines.size();
		}
	}

	/** The callers of one resource. */
	private static final class Line {

		/** In the order in which they came. */
		private final Set<CompletableFuture<Void>> waiting = new LinkedHashSet<>();

		private @Nullable CompletableFuture<Void> inside;

		private int overtakings;

		private boolean held;

		private @Nullable LockException refusal;

		void enter(CompletableFuture<Void> turn) {
			boolean mayOvertake = this.waiting.isEmpty() || this.overtakings < MOST_OVERTAKINGS;
			if (this.inside == null && mayOvertake) {
				this.overtakings += this.waiting.isEmpty() ? 0 : 1;
				this.inside = turn;
				turn.complete(null);
			}
			else {
				this.waiting.add(turn);
			}
		}

		/** Whether the resource is free now, or nobody waits any more. */
		boolean leave(CompletableFuture<Void> turn) {
			if (this.inside == turn) {
				this.inside = null;
				this.held = false;
				return true;
			}
			return this.waiting.remove(turn) && this.inside == null;
		}

		Duration grace() {
			return (this.overtakings < MOST_OVERTAKINGS) ? GRACE : Duration.ZERO;
		}

		/** Who waits longest, unless somebody was quicker. */
		@Nullable CompletableFuture<Void> next() {
			if (this.inside != null || this.waiting.isEmpty()) {
				return null;
			}
			CompletableFuture<Void> first = this.waiting.iterator().next();
			this.waiting.remove(first);
			this.overtakings = 0;
			this.inside = first;
			return first;
		}

	}

}
