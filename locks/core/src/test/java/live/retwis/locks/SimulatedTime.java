package live.retwis.locks;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Simulated time. It jumps from one event to the next, and all events run on one thread.
 */
final class SimulatedTime implements Scheduler {

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::at).thenComparingLong(Event::number));

	private final boolean told;

	private long now;

	private long number;

	private record Event(long at, long number, Runnable task, Disposable.Swap cancelled) {
	}

	SimulatedTime(boolean told) {
		this.told = told;
	}

	/** Prints what happens, if this is switched on. */
	void tell(Supplier<String> what) {
		if (this.told) {
			System.out.printf("%12.3f ms  %s%n", this.now / 1e6, what.get());
		}
	}

	/** Nanoseconds since the beginning. */
	long now() {
		return this.now;
	}

	/** Lets this time pass, with all its events. */
	void pass(Duration time) {
		long end = this.now + time.toNanos();
		for (Event next = this.events.peek(); next != null && next.at() <= end; next = this.events.peek()) {
			this.events.remove();
			this.now = next.at();
			if (!next.cancelled().isDisposed()) {
				next.task().run();
			}
		}
		this.now = end;
	}

	Disposable after(long nanos, Runnable task) {
		Disposable.Swap cancelled = Disposables.swap();
		this.events.add(new Event(this.now + Math.max(nanos, 0), this.number++, task, cancelled));
		return cancelled;
	}

	@Override
	public long now(TimeUnit unit) {
		return unit.convert(this.now, TimeUnit.NANOSECONDS);
	}

	@Override
	public Disposable schedule(Runnable task) {
		return after(0, task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		return after(unit.toNanos(delay), task);
	}

	/** Events of the same time run in the order in which they were scheduled. */
	@Override
	public Worker createWorker() {
		Disposable.Composite tasks = Disposables.composite();
		return new Worker() {
			@Override
			public Disposable schedule(Runnable task) {
				return schedule(task, 0, TimeUnit.NANOSECONDS);
			}

			@Override
			public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
				Disposable scheduled = after(unit.toNanos(delay), task);
				tasks.add(scheduled);
				return scheduled;
			}

			@Override
			public void dispose() {
				tasks.dispose();
			}

			@Override
			public boolean isDisposed() {
				return tasks.isDisposed();
			}
		};
	}

}
