package live.retwis.timeline;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of two generations. New values are added to the young generation. When
 * it is full, or old enough, it becomes the old generation, and the values of the
 * previous one are dropped together. So adding never blocks, however many values come at
 * once. A cache that keeps its entries in order would then block, and here that would be
 * on an event loop.
 *
 * @param <V> the type of the values; the keys are texts
 */
final class TwoGenerationCache<V> {

	/** Largest weight of both generations together. */
	private final long weight;

	/** Longest time that a value is kept, in ns. */
	private final long life;

	private final ToIntFunction<V> weigher;

	private final LongSupplier nanos;

	private volatile Generations<V> generations;

	TwoGenerationCache(long weight, Duration life, ToIntFunction<V> weigher, LongSupplier nanos) {
		this.weight = weight;
		this.life = life.toNanos();
		this.weigher = weigher;
		this.nanos = nanos;
		this.generations = Generations.empty(nanos.getAsLong());
	}

	@Nullable V get(String key) {
		Generations<V> now = current();
		V value = now.young().values().get(key);
		return (value != null) ? value : now.old().values().get(key);
	}

	void put(String key, V value) {
		Generation<V> young = current().young();
		V before = young.values().put(key, value);
		young.weight()
			.addAndGet(this.weigher.applyAsInt(value) - ((before != null) ? this.weigher.applyAsInt(before) : 0));
	}

	void remove(String key) {
		Generations<V> now = this.generations;
		now.old().values().remove(key);
		now.young().values().remove(key);
	}

	synchronized void clear() {
		this.generations = Generations.empty(this.nanos.getAsLong());
	}

	/**
	 * The generations at this moment. Begins a new generation if the young one is full or
	 * old enough, and drops the old one when its time is over.
	 */
	private Generations<V> current() {
		Generations<V> known = this.generations;
		long now = this.nanos.getAsLong();
		boolean isDue = now - known.young().begun() >= this.life / 2 || known.young().weight().get() >= this.weight / 2;
		Generation<V> old = isDue ? known.young() : known.old();
		boolean isOver = now - old.begun() >= this.life;
		if (!isDue && !isOver) {
			return known;
		}
		return replaced(known,
				new Generations<>(isDue ? Generation.begin(now) : known.young(), isOver ? Generation.begin(now) : old));
	}

	/**
	 * Replaces the generations, unless another thread has cleared or replaced them
	 * meanwhile.
	 */
	private synchronized Generations<V> replaced(Generations<V> known, Generations<V> next) {
		if (this.generations == known) {
			this.generations = next;
		}
		return this.generations;
	}

	/**
	 * Both generations.
	 *
	 * @param young gets new values
	 * @param old was the young one before
	 */
	private record Generations<V>(Generation<V> young, Generation<V> old) {

		static <V> Generations<V> empty(long now) {
			return new Generations<>(Generation.begin(now), Generation.begin(now));
		}

	}

	/**
	 * One generation.
	 *
	 * @param values the values by key
	 * @param weight total weight of the values
	 * @param begun when it began, in ns
	 */
	private record Generation<V>(ConcurrentMap<String, V> values, AtomicLong weight, long begun) {

		static <V> Generation<V> begin(long now) {
			return new Generation<>(new ConcurrentHashMap<>(), new AtomicLong(), now);
		}

	}

}
