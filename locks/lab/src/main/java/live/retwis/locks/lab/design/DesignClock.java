package live.retwis.locks.lab.design;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Simulated time. It jumps from one task to the next, and all of them run on one thread.
 */
final class DesignClock {

	static final long MILLI = 1_000_000;

	private final PriorityQueue<Task> tasks = new PriorityQueue<>(
			Comparator.comparingLong(Task::at).thenComparingLong(Task::number));

	private long now;

	private long number;

	private record Task(long at, long number, Runnable work) {
	}

	/** Nanoseconds since the beginning. */
	long now() {
		return this.now;
	}

	/** Does something at a time; at once if that is over. */
	void at(long time, Runnable work) {
		this.tasks.add(new Task(Math.max(time, this.now), this.number++, work));
	}

	void after(long nanos, Runnable work) {
		at(this.now + nanos, work);
	}

	/** Runs until nothing is left to do, or until this time. */
	void run(long until) {
		for (Task next = this.tasks.poll(); next != null && next.at() <= until; next = this.tasks.poll()) {
			this.now = next.at();
			next.work().run();
		}
	}

}
