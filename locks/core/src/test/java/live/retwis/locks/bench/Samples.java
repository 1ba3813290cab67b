package live.retwis.locks.bench;

import java.util.Arrays;
import java.util.Collection;

/**
 * Times of one caller in nanoseconds. Not for use by several threads.
 */
final class Samples {

	private long[] nanos = new long[1024];

	private int size;

	void add(long time) {
		if (this.size == this.nanos.length) {
			this.nanos = Arrays.copyOf(this.nanos, 2 * this.size);
		}
		this.nanos[this.size++] = time;
	}

	/** The times of all callers, in ascending order. */
	static long[] sorted(Collection<Samples> all) {
		return all.stream()
			.flatMapToLong((samples) -> Arrays.stream(samples.nanos, 0, samples.size))
			.sorted()
			.toArray();
	}

	/**
	 * A percentile in µs: the time that this part of the samples does not exceed (nearest
	 * rank).
	 */
	static double micros(long[] sorted, double part) {
		if (sorted.length == 0) {
			throw new IllegalStateException("Nothing was measured");
		}
		return sorted[(int) Math.ceil(part * sorted.length) - 1] / 1000.0;
	}

}
