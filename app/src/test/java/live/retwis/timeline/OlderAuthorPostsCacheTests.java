package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OlderAuthorPostsCacheTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int PAGE = 25;

	private final Site site = Site.shared();

	private final OlderAuthorPostsCache cache = new OlderAuthorPostsCache(this.site.bean(AuthorPostListReader.class),
			this.site.bean(PendingFanOutIndex.class));

	private final long seed = System.nanoTime();

	private final Random random = new Random(this.seed);

	private final List<String> authors = IntStream.range(0, 20)
		.mapToObj((i) -> "0P%06d%05d".formatted(this.random.nextInt(1_000_000), i))
		.toList();

	private final Map<Cursor, String> posts = new HashMap<>();

	/**
	 * Several posts have the same millisecond. Some authors have many posts, and one has
	 * none.
	 */
	private void plant(int count) {
		for (int i = 0; i < count; i++) {
			String author = this.authors.get((int) (19 * Math.pow(this.random.nextDouble(), 3)));
			Cursor post = new Cursor(1000 + this.random.nextInt(count / 3), "0Q%011d".formatted(i));
			this.posts.put(post, author);
			this.site.redis().zadd(Keys.postsOf(author), (double) post.score(), post.member());
		}
	}

	private List<Cursor> expected(Cursor before) {
		return this.posts.keySet()
			.stream()
			.filter((post) -> CursorOrder.NEWEST_FIRST.compare(before, post) < 0)
			.sorted(CursorOrder.NEWEST_FIRST)
			.limit(PAGE)
			.toList();
	}

	private List<Cursor> latest(Cursor before) {
		return this.cache.latest(this.authors, before, PAGE).blockOptional(BOUND).orElseThrow();
	}

	@Test
	void pagesMergeAllListsWhateverWasReadBefore() {
		plant(1500);
		for (int i = 0; i < 60; i++) {
			Cursor at = new Cursor(1000 + this.random.nextInt(600), "0Q%011d".formatted(this.random.nextInt(1500)));
			for (int page = 0; page < 3; page++) {
				List<Cursor> read = latest(at);
				assertThat(read).as("seed %s, before %s", this.seed, at).isEqualTo(expected(at));
				at = read.isEmpty() ? at : read.get(read.size() - 1);
			}
		}
	}

	/** At most 200 places of an author are kept for the next reader. */
	@Test
	void aPageCanNeedMorePostsOfAnAuthorThanAreKept() {
		String author = this.authors.get(0);
		for (int i = 0; i < 600; i++) {
			this.site.redis().zadd(Keys.postsOf(author), 1000.0 + i, "0Q%011d".formatted(i));
		}
		for (int newest : new int[] { 600, 250, 590 }) {
			assertThat(this.cache
				.latest(this.authors, new Cursor(1000 + newest, "0Q%011d".formatted(newest)), Math.min(newest, 430))
				.blockOptional(BOUND)
				.orElseThrow())
				.extracting(Cursor::score)
				.containsExactlyElementsOf(LongStream.iterate(999 + newest, (score) -> score - 1)
					.limit(Math.min(newest, 430))
					.boxed()
					.toList());
		}
	}

	@Test
	void readingAllPagesReadsEachPostOnce() {
		plant(800);
		List<Cursor> all = new ArrayList<>();
		List<Cursor> page = latest(new Cursor(100_000, ""));
		while (!page.isEmpty()) {
			all.addAll(page);
			page = latest(page.get(page.size() - 1));
		}
		assertThat(all).as("seed %s", this.seed)
			.isEqualTo(this.posts.keySet().stream().sorted(CursorOrder.NEWEST_FIRST).toList());
	}

	@Test
	void aPostThatTheLogDeletedIsNotReadAgain() {
		plant(30);
		Cursor top = new Cursor(100_000, "");
		List<Cursor> read = latest(top);
		Cursor deleted = read.get(3);
		String author = this.posts.getOrDefault(deleted, "");
		this.site.redis().zrem(Keys.postsOf(author), deleted.member());
		this.posts.remove(deleted);
		assertThat(latest(top)).as("still in the cache").isEqualTo(read);
		this.cache.accept(new LogEntry(new LogPosition(1, 0, "n"), LogEntry.Type.DELETE, deleted.member(), author, ""));
		assertThat(latest(top)).isEqualTo(expected(top));
	}

}
