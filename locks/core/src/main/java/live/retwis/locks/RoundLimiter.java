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
 * came. A release needs no turn: it frees a name that others wait for, so it must not
 * stand behind rounds that have only begun.
 * <p>
 * The limit is what keeps the machine busy. When many rounds wait, a third of them run at
 * once: commands that are sent together cost less, and with distant nodes most of the
 * time is spent on the network, where rounds do not hold each other up.
 */
final class RoundLimiter {

	/** Beyond it rounds are refused at once. */
	static final int LONGEST_QUEUE = 1024;

	private static final int PART_UNDER_WAY = 3;

	private final int enough;

	private final Duration shortestWait;

	private final Scheduler timers;

	/** In the order in which they came. Guarded by itself. */
	private final Set<CompletableFuture<Void>> waiting = new LinkedHashSet<>();

	/** Guarded by those that wait. */
	private int underWay;

	private final AtomicInteger calls = new AtomicInteger();

	/**
	 * None is taken yet.
	 * @param enough how many keep the machine busy
	 * @param shortestWait for those that do not want to wait: as long as a node may take
	 * @param timers by which the wait ends
	 */
	RoundLimiter(int enough, Duration shortestWait, Scheduler timers) {
		this.timers = timers;
		this.enough = enough;
		this.shortestWait = shortestWait;
	}

	/**
	 * Waits for a turn; cancelling gives up the place in the queue.
	 * @param wait how long
	 * @return a turn, to be ended. An error when it does not come within the wait, or too
	 * many wait already
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

	/** Whether no round is under way and nobody waits. */
	boolean isIdle() {
		synchronized (this.waiting) {
			return this.underWay == 0 && this.waiting.isEmpty();
		}
	}

	/** The first in the queue begins. */
	void end() {
		synchronized (this.waiting) {
			this.underWay--;
		}
		callNext();
	}

	/** In a loop: a round may end before its begin has returned. */
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
