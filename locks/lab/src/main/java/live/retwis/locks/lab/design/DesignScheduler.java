package live.retwis.locks.lab.design;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The time of a schedule. All tasks run on one thread, in the order of their times.
 * Simulated time jumps from one task to the next.
 */
class DesignScheduler {

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

	/** What a client reads from a clock that nobody sets. Simulated time is exact. */
	long read() {
		return this.now;
	}

	/** How long a time of the schedule lasts. */
	long lasting(long nanos) {
		return nanos;
	}

	/** A time as histories have it. */
	long stamp(long time) {
		return time;
	}

	/** Called before a task is run. Simulated time is there at once. */
	void reach(long time) {
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
			reach(next.at());
			this.now = next.at();
			next.work().run();
		}
	}

}
