package live.retwis.locks;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Limits how many rounds of votes run at once. The others wait in the order in which they
 * came.
 * <p>
 * The lock is correct without this limit. The limit is there for speed, and only
 * {@link ParallelVotingStrategy} needs it: beyond the number of rounds that keep the
 * event loops busy, more rounds only make each other slower. When many rounds wait, a
 * third of them run at once, even beyond that number. Commands that are sent together
 * cost less. And with distant nodes most of the time is spent on the network, where
 * rounds do not hold each other up.
 * <p>
 * A release needs no turn. It frees a name that others wait for, so it must not wait
 * behind rounds that have only begun.
 */
final class RoundLimiter {

	/** The most rounds that may wait. Further ones are refused at once. */
	static final int LONGEST_QUEUE = 1024;

	private static final int PART_UNDER_WAY = 3;

	private final int enough;

	private final Duration shortestWait;

	private final Scheduler timers;

	/** Waiting rounds, in the order in which they came. Guarded by itself. */
	private final Set<CompletableFuture<Void>> waiting = new LinkedHashSet<>();

	/** How many rounds run now. Guarded by {@code waiting}. */
	private int underWay;

	private final AtomicInteger calls = new AtomicInteger();

	/**
	 * Starts with no round under way.
	 * @param enough how many rounds keep the machine busy
	 * @param shortestWait the least wait, also for callers that do not want to wait: as
	 * long as a node may take
	 * @param timers end the wait
	 */
	RoundLimiter(int enough, Duration shortestWait, Scheduler timers) {
		this.timers = timers;
		this.enough = enough;
		this.shortestWait = shortestWait;
	}

	/**
	 * Waits for a turn. Cancelling gives up the place in the queue.
	 * @param wait how long
	 * @return done when it is this round's turn, which must be ended. An error when the
	 * turn does not come within the wait, or when too many rounds wait already
	 */
	CompletableFuture<Void> next(Duration wait) {
		CompletableFuture<Void> turn = new CompletableFuture<>();
		synchronized (this.waiting) {
			if (this.waiting.size() >= LONGEST_QUEUE) {
				return CompletableFuture.failedFuture(new RejectedExecutionException("Too many wait for a turn"));
			}
			this.waiting.add(turn);
		}
		callNext();
		return turn.isDone() ? turn : bounded(turn, wait);
	}

	private CompletableFuture<Void> bounded(CompletableFuture<Void> turn, Duration wait) {
		Duration longest = (wait.compareTo(this.shortestWait) < 0) ? this.shortestWait : wait;
		Disposable timer = this.timers.schedule(() -> turn.completeExceptionally(new TimeoutException("Too late")),
				longest.toNanos(), TimeUnit.NANOSECONDS);
		turn.whenComplete((mine, left) -> {
			timer.dispose();
			leave(turn);
		});
		return turn;
	}

	private void leave(CompletableFuture<Void> turn) {
		synchronized (this.waiting) {
			this.waiting.remove(turn);
		}
	}

	/** Whether no round is under way and none waits. */
	boolean isIdle() {
		synchronized (this.waiting) {
			return this.underWay == 0 && this.waiting.isEmpty();
		}
	}

	/** Ends a turn. The first round in the queue begins. */
	void end() {
		synchronized (this.waiting) {
			this.underWay--;
		}
		callNext();
	}

	/**
	 * Calls the next rounds in a loop. A round may end before the call that began it has
	 * returned.
	 */
	private void callNext() {
		if (this.calls.getAndIncrement() == 0) {
			do {
				callAll();
			}
			while (this.calls.decrementAndGet() > 0);
		}
	}

	private void callAll() {
		for (CompletableFuture<Void> first = first(); first != null; first = first()) {
			if (!first.complete(null)) {
				synchronized (this.waiting) {
					this.underWay--;
				}
			}
		}
	}

	private @Nullable CompletableFuture<Void> first() {
		synchronized (this.waiting) {
			int all = this.underWay + this.waiting.size();
			if (this.waiting.isEmpty() || this.underWay >= Math.max(this.enough, all / PART_UNDER_WAY)) {
				return null;
			}
			Iterator<CompletableFuture<Void>> queue = this.waiting.iterator();
			CompletableFuture<Void> first = queue.next();
			queue.remove();
			this.underWay++;
			return first;
		}
	}

}
