package live.retwis.timeline;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import live.retwis.testing.Simultaneous;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TwoGenerationCacheTests {

	private static final Duration LIFE = Duration.ofMinutes(4);

	private final AtomicLong now = new AtomicLong(-7);

	/** Holds twenty characters. */
	private final TwoGenerationCache<String> cache = new TwoGenerationCache<>(20, LIFE, String::length, this.now::get);

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

	private long kept() {
		return IntStream.range(0, 1000).filter((i) -> this.cache.get("k" + i) != null).count();
	}

	@Test
	void anEntryStaysUntilItIsReplacedRemovedOrTheCacheIsCleared() {
		this.cache.put("a", "one");
		this.cache.put("b", "two");
		assertThat(this.cache.get("a")).isEqualTo("one");
		this.cache.put("a", "else");
		assertThat(this.cache.get("a")).isEqualTo("else");
		this.cache.remove("a");
		assertThat(this.cache.get("a")).isNull();
		this.cache.clear();
		assertThat(this.cache.get("b")).isNull();
	}

	@Test
	void theNewestEntriesAreKeptAndNeverMoreThanFit() {
		for (int i = 0; i < 1000; i++) {
			this.cache.put("k" + i, "x");
			assertThat(this.cache.get("k" + i)).isNotNull();
			assertThat(kept()).isBetween((long) Math.min(i + 1, 10), 20L);
		}
	}

	@Test
	void replacingAnEntryTakesNoMoreRoom() {
		this.cache.put("a", "a");
		for (int i = 0; i < 100; i++) {
			this.cache.put("b", "b");
		}
		assertThat(this.cache.get("a")).isNotNull();
	}

	@Test
	void noEntryIsKeptLongerThanItsLifetime() {
		for (int i = 0; i < 20; i++) {
			this.cache.put("a", "a");
			pass(LIFE.dividedBy(3));
			assertThat(this.cache.get("a")).as("round %s", i).isNotNull();
			pass(LIFE.multipliedBy(2).dividedBy(3));
			assertThat(this.cache.get("a")).as("round %s", i).isNull();
			pass(Duration.ofSeconds(i));
		}
	}

	@Test
	void aClearedEntryDoesNotReturnWhenTheGenerationsChange() {
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		TwoGenerationCache<String> cleared = new TwoGenerationCache<>(20, LIFE, String::length, () -> {
			meanwhile.getAndSet(() -> {
			}).run();
			return this.now.get();
		});
		cleared.put("a", "stale");
		pass(LIFE.dividedBy(2));
		meanwhile.set(cleared::clear);
		assertThat(cleared.get("other")).isNull();
		assertThat(cleared.get("a")).isNull();
	}

	@Test
	void manyThreadsCanWriteAtOnce() throws Exception {
		Simultaneous.times(16, (thread) -> {
			for (int i = 0; i < 1000; i++) {
				this.cache.put("k" + (i * 31 + thread) % 1000, "x");
			}
			return thread;
		});
		assertThat(kept()).isBetween(1L, 40L);
	}

}
