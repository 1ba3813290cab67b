package live.retwis.lab;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.annotation.PreDestroy;
import live.retwis.background.LowProcessPriority;
import live.retwis.locks.lab.design.Counterexample;
import live.retwis.locks.lab.design.CounterexampleScenario;
import live.retwis.locks.lab.design.CounterexampleSearch;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.node.SettableNodeClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches counterexamples to designs, one after the other on one thread of low priority.
 * Results are kept, because the same search finds the same; one that ended early can be
 * begun again. The number of designs that wait is bounded, and so is the time of a
 * search.
 */
@ConditionalOnLab
class DesignSearches {

	private static final Logger logger = LoggerFactory.getLogger(DesignSearches.class);

	/** Schedules for each number of faults. */
	static final int SCHEDULES = 3_000;

	private static final Duration LONGEST = Duration.ofSeconds(60);

	private static final int WAITING = 5;

	private static final String THREAD = "design-search";

	private static final int KEPT = 300;

	private final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(WAITING), DesignSearches::thread);

	private final Cache<RedlockDesign, Search> searches = Caffeine.newBuilder().maximumSize(KEPT).build();

	/** Whether this machine can set the clocks of nodes. */
	private final boolean clocks = SettableNodeClock.isPossible();

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(() -> {
			LowProcessPriority.giveToThreads(THREAD);
			work.run();
		}, THREAD);
		thread.setDaemon(true);
		return thread;
	}

	/** The search for a design, under way or done; empty when there was none. */
	Optional<Search> find(RedlockDesign design) {
		return Optional.ofNullable(this.searches.getIfPresent(design));
	}

	/**
	 * Begins a search, unless there was one that came to its end, and returns at once.
	 * @param userId who wants it
	 * @return false when too many wait already, or another search of this user is not
	 * done
	 */
	synchronized boolean begin(String userId, RedlockDesign design) {
		if (find(design).filter((search) -> !search.isBrokenOff()).isPresent()) {
			return true;
		}
		if (this.searches.asMap().values().stream().anyMatch((other) -> other.by.equals(userId) && !other.isDone())) {
			return false;
		}
		Search search = new Search(userId);
		this.searches.put(design, search);
		try {
			this.thread.execute(() -> search.run(design));
			return true;
		}
		catch (RejectedExecutionException ex) {
			this.searches.invalidate(design);
			return false;
		}
	}

	/** Whether what was found can be played on real nodes here. */
	boolean isPlayable(Counterexample found) {
		return this.clocks || !CounterexampleScenario.needsClocks(found);
	}

	@PreDestroy
	void close() {
		this.thread.shutdownNow();
	}

	/** A search and what came of it. */
	static final class Search {

		private final String by;

		private final AtomicInteger tried = new AtomicInteger();

		private volatile boolean done;

		private volatile boolean brokenOff;

		private volatile @Nullable Counterexample found;

		private Search(String by) {
			this.by = by;
		}

		private void run(RedlockDesign design) {
			long end = System.nanoTime() + LONGEST.toNanos();
			try {
				this.found = new CounterexampleSearch(design, SCHEDULES, () -> isOver(end)).run(0).orElse(null);
			}
			catch (RuntimeException ex) {
				logger.warn("The search for what breaks {} failed", design, ex);
				this.brokenOff = true;
			}
			finally {
				this.done = true;
			}
		}

		/** Asked before each schedule. */
		private boolean isOver(long end) {
			boolean over = System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted();
			if (over) {
				this.brokenOff = true;
			}
			else {
				this.tried.incrementAndGet();
			}
			return over;
		}

		/** How many schedules were tried so far. */
		int tried() {
			return this.tried.get();
		}

		/** Whether it ended before all schedules were tried, and found nothing. */
		boolean isBrokenOff() {
			return this.done && this.brokenOff && this.found == null;
		}

		boolean isDone() {
			return this.done;
		}

		/** Empty while nothing was found. */
		Optional<Counterexample> found() {
			return Optional.ofNullable(this.found);
		}

	}

}
