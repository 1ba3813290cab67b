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
 * Lets the callers of this process wait for each other before they ask the nodes. There
 * is one queue for each resource. Only the caller at its head asks the nodes.
 * <p>
 * The lock is correct without these queues, and callers of other processes are met at the
 * nodes. The queues are there for speed. Many callers that ask for the same name at once
 * split the votes, and then nobody has a majority. They also load the nodes with
 * questions whose answer is known here: the name is taken.
 * <p>
 * When a resource becomes free, a newcomer may go ahead of the callers that wait, because
 * calling the next one takes time. It may do so only a few times in a row, so that nobody
 * waits for ever.
 */
final class LocalQueues {

	/** How often in a row newcomers may go ahead of those that wait. */
	static final int MOST_OVERTAKINGS = 4;

	/**
	 * The time that newcomers have before the next caller is called: about as long as a
	 * round of votes takes.
	 */
	static final Duration GRACE = Duration.ofMillis(1);

	private final Scheduler timers;

	/** The queues by resource. Empty ones are removed. Guarded by itself. */
	private final Map<String, CallerQueue> queues = new HashMap<>();

	LocalQueues(Scheduler timers) {
		this.timers = timers;
	}

	/**
	 * Joins the queue of a resource.
	 * @return done when it is this caller's turn, never an error. The caller must
	 * {@link #leave leave} in any case, also when its turn did not come
	 */
	CompletableFuture<Void> enter(String resource) {
		CompletableFuture<Void> turn = new CompletableFuture<>();
		synchronized (this.queues) {
			this.queues.computeIfAbsent(resource, (name) -> new CallerQueue()).enter(turn);
		}
		return turn;
	}

	/** Gives up the turn or the place in the queue. A second call changes nothing. */
	void leave(String resource, CompletableFuture<Void> turn) {
		Duration grace;
		synchronized (this.queues) {
			CallerQueue queue = this.queues.get(resource);
			if (queue == null || !queue.leave(turn)) {
				return;
			}
			if (queue.waiting.isEmpty()) {
				this.queues.remove(resource);
				return;
			}
			grace = queue.grace();
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
		synchronized (this.queues) {
			CallerQueue queue = this.queues.get(resource);
			next = (queue != null) ? queue.next() : null;
		}
		if (next != null) {
			next.complete(null);
		}
	}

	/** Notes that the caller whose turn it is has the lease now. */
	void held(String resource) {
		refused(resource, new LockTaken(resource));
	}

	/**
	 * Notes why the caller whose turn it is was refused. The reason holds for those that
	 * wait, too, until the next caller knows better.
	 */
	void refused(String resource, LockException refusal) {
		synchronized (this.queues) {
			CallerQueue queue = this.queues.get(resource);
			if (queue != null) {
				queue.refusal = refusal;
			}
		}
	}

	/** Why the callers that wait do not have the lock; null while that is not known. */
	@Nullable LockException refusal(String resource) {
		synchronized (this.queues) {
			CallerQueue queue = this.queues.get(resource);
			return (queue != null) ? queue.refusal : null;
		}
	}

	int size() {
		synchronized (this.queues) {
			return this.queues.size();
		}
	}

	/** The callers of one resource. */
	private static final class CallerQueue {

		/** Waiting callers, in the order in which they came. */
		private final Set<CompletableFuture<Void>> waiting = new LinkedHashSet<>();

		private @Nullable CompletableFuture<Void> inside;

		private int overtakings;

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

		/**
		 * Removes a caller. Returns whether the next one may be called, or nobody waits
		 * any more.
		 */
		boolean leave(CompletableFuture<Void> turn) {
			if (this.inside == turn) {
				this.inside = null;
				return true;
			}
			return this.waiting.remove(turn) && this.inside == null;
		}

		Duration grace() {
			return (this.overtakings < MOST_OVERTAKINGS) ? GRACE : Duration.ZERO;
		}

		/**
		 * The caller that has waited longest; null when a newcomer was faster or nobody
		 * waits.
		 */
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
