package live.retwis.fanout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ImmutablePostListTests {

	private static Cursor place(int number) {
		return new Cursor(1000 + number, "%013d".formatted(number));
	}

	private static List<Cursor> newestFirst(int from, int until) {
		return IntStream.range(from, until)
			.map((i) -> until - 1 - (i - from))
			.mapToObj(ImmutablePostListTests::place)
			.toList();
	}

	@Test
	void aListThatAReaderHasDoesNotChange() {
		ImmutablePostList posts = ImmutablePostList.of(place(0));
		List<List<Cursor>> given = new ArrayList<>();
		for (int i = 1; i < 100; i++) {
			given.add(posts.newestFirst());
			posts = posts.with(place(i));
		}
		ImmutablePostList later = posts.without((place) -> place.score() < 1050).with(place(100));
		for (int i = 0; i < given.size(); i++) {
			assertThat(given.get(i)).isEqualTo(newestFirst(0, i + 1));
		}
		assertThat(later.newestFirst()).isEqualTo(newestFirst(50, 101));
	}

	@Test
	void aPostThatWaitsDoesNotKeepNewerOnesThatAreDone() {
		ImmutablePostList posts = ImmutablePostList.of(place(0)).with(place(1)).with(place(2));
		List<Cursor> given = posts.newestFirst();
		ImmutablePostList waiting = posts.without((place) -> place.equals(place(1)));
		assertThat(waiting.newestFirst()).containsExactly(place(2), place(0));
		assertThat(waiting.with(place(3)).newestFirst()).containsExactly(place(3), place(2), place(0));
		assertThat(given).isEqualTo(newestFirst(0, 3));
		assertThat(posts.without((place) -> !place.equals(place(1))).newestFirst()).containsExactly(place(1));
		assertThat(posts.without((place) -> true).isEmpty()).isTrue();
	}

	@Test
	void postsAreInCommitOrderWhateverTheOrderOfTheirArrival() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		for (int round = 0; round < 200; round++) {
			Set<Integer> numbers = new HashSet<>(Set.of(500));
			ImmutablePostList posts = ImmutablePostList.of(place(500));
			for (int i = 0; i < 20; i++) {
				int number = random.nextInt(1000);
				if (numbers.add(number)) {
					posts = posts.with(place(number));
				}
			}
			assertThat(posts.newestFirst()).as("seed " + seed)
				.isEqualTo(
						numbers.stream().map(ImmutablePostListTests::place).sorted(CursorOrder.NEWEST_FIRST).toList());
		}
	}

}
