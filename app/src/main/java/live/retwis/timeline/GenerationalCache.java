package live.retwis.timeline;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * A bounded cache of two generations: when the young one is full, or old enough, the one
 * before it is forgotten as a whole. So a writer never waits, however many entries come
 * at once; caches that keep their entries in order make it wait then, on an event loop.
 *
 * @param <V> what is kept by a text
 */
final class GenerationalCache<V> {

	/** What both generations weigh together at most. */
	private final long weight;

	/** How long an entry is kept at most, in ns. */
	private final long life;

	private final ToIntFunction<V> weigher;

	private final LongSupplier nanos;

	private volatile Generations<V> generations;

	GenerationalCache(long weight, Duration life, ToIntFunction<V> weigher, LongSupplier nanos) {
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
	 * With a new young one when it is time for that, and without an old one past its
	 * life.
	 */
	private Generations<V> current() {
		Generations<V> known = this.generations;
		long now = this.nanos.getAsLong();
		boolean turn = now - known.young().begun() >= this.life / 2 || known.young().weight().get() >= this.weight / 2;
		Generation<V> old = turn ? known.young() : known.old();
		boolean over = now - old.begun() >= this.life;
		if (!turn && !over) {
			return known;
		}
		return replaced(known,
				new Generations<>(turn ? Generation.begin(now) : known.young(), over ? Generation.begin(now) : old));
	}

	/** Unless they have been cleared meanwhile, or turned by somebody else. */
	private synchronized Generations<V> replaced(Generations<V> known, Generations<V> next) {
		if (this.generations == known) {
			this.generations = next;
		}
		return this.generations;
	}

	/**
	 * Both of them.
	 *
	 * @param young takes what is put in
	 * @param old was young before
	 */
	private record Generations<V>(Generation<V> young, Generation<V> old) {

		static <V> Generations<V> empty(long now) {
			return new Generations<>(Generation.begin(now), Generation.begin(now));
		}

	}

	/**
	 * One of them.
	 *
	 * @param begun when, in ns
	 * @param weight of its values
	 */
	private record Generation<V>(ConcurrentMap<String, V> values, AtomicLong weight, long begun) {

		static <V> Generation<V> begin(long now) {
			return new Generation<>(new ConcurrentHashMap<>(), new AtomicLong(), now);
		}

	}

}
