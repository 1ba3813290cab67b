package live.retwis.locks.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import live.retwis.locks.bench.LockContestant.Held;
import org.jspecify.annotations.Nullable;

/**
 * Callers that take and release locks. Each takes the next lock as soon as the last one
 * is released.
 *
 * @param callers number of callers
 * @param hot whether all callers want the same name; otherwise each has its own name and
 * must get it
 * @param waitTime how long each tries
 */
record LockLoad(int callers, boolean hot, Duration waitTime) {

	/** The loads that the engines are compared under. */
	static final List<LockLoad> ALL = List.of(distinct(1), distinct(16), distinct(64),
			new LockLoad(16, true, LockContestant.WAIT));

	/** The loads with a node that is far away. */
	static final List<LockLoad> FEW = List.of(distinct(1), distinct(16));

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** Callers that each try once to take their own name. */
	static LockLoad distinct(int callers) {
		return new LockLoad(callers, false, Duration.ZERO);
	}

	/**
	 * Loads a contestant.
	 * @throws IllegalStateException when a lock was refused that nobody else wanted, or
	 * when an acquisition or a release failed
	 */
	LockFigures run(LockContestant contestant, Duration time) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		List<Caller> all = IntStream.range(0, this.callers)
			.mapToObj((number) -> new Caller(contestant, "bench:" + (this.hot ? "hot" : number), end))
			.toList();
		all.forEach(Caller::next);
		await(contestant, all, time);
		long[] acquires = Samples.sorted(all.stream().map((caller) -> caller.acquires).toList());
		long[] releases = Samples.sorted(all.stream().map((caller) -> caller.releases).toList());
		long cycles = all.stream().mapToLong((caller) -> caller.cycles).sum();
		return new LockFigures(Samples.micros(acquires, 0.5), Samples.micros(acquires, 0.99),
				Samples.micros(releases, 0.5), Samples.micros(releases, 0.99), cycles * 1e9 / time.toNanos(),
				all.stream().mapToLong((caller) -> caller.refused).sum());
	}

	private void await(LockContestant contestant, List<Caller> all, Duration time) throws InterruptedException {
		try {
			CompletableFuture.allOf(all.stream().map((caller) -> caller.done).toArray(CompletableFuture<?>[]::new))
				.get(time.plus(BOUND).toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(contestant.name() + " under the load of " + this, ex);
		}
	}

	@Override
	public String toString() {
		return this.hot ? this.callers + " on one name" : Integer.toString(this.callers);
	}

	/** A caller. The end of each step begins the next one. */
	private final class Caller {

		private final LockContestant contestant;

		private final String resource;

		private final long end;

		private final Samples acquires = new Samples();

		private final Samples releases = new Samples();

		private final CompletableFuture<Void> done = new CompletableFuture<>();

		private long cycles;

		private long refused;

		private Caller(LockContestant contestant, String resource, long end) {
			this.contestant = contestant;
			this.resource = resource;
			this.end = end;
		}

		private void next() {
			long start = System.nanoTime();
			if (start - this.end >= 0) {
				this.done.complete(null);
				return;
			}
			this.contestant.acquire(this.resource, LockLoad.this.waitTime)
				.thenAccept((held) -> acquired(held, System.nanoTime() - start))
				.exceptionally(this::failed);
		}

		private void acquired(@Nullable Held held, long nanos) {
			if (held != null) {
				this.acquires.add(nanos);
				release(held);
			}
			else if (LockLoad.this.hot) {
				this.refused++;
				next();
			}
			else {
				throw new IllegalStateException(this.resource + " was refused, which nobody else wants");
			}
		}

		private void release(Held held) {
			long start = System.nanoTime();
			held.release().thenRun(() -> {
				long now = System.nanoTime();
				this.releases.add(now - start);
				if (now - this.end < 0) {
					this.cycles++;
				}
				next();
			}).exceptionally(this::failed);
		}

		private @Nullable Void failed(Throwable error) {
			this.done.completeExceptionally(error);
			return null;
		}

	}

}
