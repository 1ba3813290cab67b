package live.retwis.timeline;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import live.retwis.redis.Cursor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PulledAuthorRecentPostsTests {

	private static final int OLDEST = 901;

	private static Cursor place(int millis) {
		return new Cursor(millis, "P" + millis);
	}

	/** The newest posts, of ms 1000 and less. */
	private static List<Cursor> newest(int count) {
		return IntStream.range(0, count).mapToObj((i) -> place(1000 - i)).toList();
	}

	@Test
	void aPostBelowAllThatAreKnownIsNotTakenForTheNextOne() {
		PulledAuthorRecentPosts posts = new PulledAuthorRecentPosts(newest(PulledAuthorRecentPosts.READ));
		posts.add(place(500));
		assertThat(posts.before(Optional.of(place(OLDEST + 1)), 2)).as("Redis has others in between").isNull();
		assertThat(posts.before(Optional.of(place(OLDEST + 1)), 1)).containsExactly(place(OLDEST));
	}

	@Test
	void aPostBelowAllThatThereAreIsTheNextOne() {
		PulledAuthorRecentPosts posts = new PulledAuthorRecentPosts(newest(3));
		posts.add(place(500));
		assertThat(posts.before(Optional.of(place(998)), 5)).containsExactly(place(500));
	}

	@Test
	void aNewPostIsTheFirst() {
		PulledAuthorRecentPosts posts = new PulledAuthorRecentPosts(newest(PulledAuthorRecentPosts.READ));
		posts.add(place(1001));
		posts.add(place(1001));
		assertThat(posts.before(Optional.empty(), 2)).containsExactly(place(1001), place(1000));
	}

}
