package live.retwis.bookmark;

import java.time.Duration;
import java.util.stream.IntStream;

import io.lettuce.core.ScoredValue;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A user keeps posts, and nobody else sees them. */
class BookmarkTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site);

	private Answer bookmark(String post) {
		this.reader.get("/posts/" + post);
		return this.reader.submit("/posts/" + post + "/bookmark");
	}

	@Test
	void theLatestBookmarkComesFirstAndEachPostOnce() {
		String first = this.author.post("first");
		String second = this.author.post("second");
		assertThat(bookmark(second).status()).isEqualTo(303);
		assertThat(bookmark(first).status()).isEqualTo(303);
		assertThat(bookmark(second).status()).as("again").isEqualTo(303);
		assertThat(this.reader.get("/bookmarks").postIds()).containsExactly(first, second);
		assertThat(this.reader.getJson("/bookmarks").json().get("posts")).hasSize(2);
		assertThat(this.author.get("/bookmarks").postIds()).isEmpty();
		assertThat(this.reader.get("/posts/" + first).body()).contains(">Remove bookmark<");
		assertThat(this.author.get("/posts/" + first).body()).contains(">Bookmark<");
	}

	@Test
	void aBookmarkGoesWhenItIsRemovedAndWhenItsPostIsDeleted() {
		String first = this.author.post("first");
		String second = this.author.post("second");
		bookmark(first);
		bookmark(second);
		assertThat(this.reader.submit("/posts/" + first + "/unbookmark").status()).isEqualTo(303);
		assertThat(this.reader.submit("/posts/" + first + "/unbookmark").status()).as("again").isEqualTo(303);
		assertThat(this.reader.get("/bookmarks").postIds()).containsExactly(second);
		this.author.get("/posts/" + second);
		this.author.submit("/posts/" + second + "/delete");
		assertThat(this.reader.get("/bookmarks").postIds()).isEmpty();
		assertThat(this.site.redis().exists(Keys.bookmarks(this.reader.id()))).isZero();
		assertThat(bookmark(second).status()).isEqualTo(404);
	}

	@Test
	void aFullListTakesNoMoreAndLosesNone() {
		String key = Keys.bookmarks(this.reader.id());
		String kept = this.author.post("kept");
		this.site.redis()
			.zadd(key,
					IntStream.range(1, PostListRepository.MOST)
						.mapToObj((i) -> ScoredValue.just((double) i, "kept-" + i))
						.toArray(ScoredValue[]::new));
		assertThat(bookmark(kept).status()).isEqualTo(303);
		Answer refused = bookmark(this.author.post("one too many"));
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.body()).contains("Remove a bookmark first.");
		assertThat(bookmark(kept).status()).as("one of them").isEqualTo(303);
		assertThat(this.site.redis().zcard(key)).isEqualTo(PostListRepository.MOST);
	}

	@Test
	void whoIsNotSignedInIsAskedForThePassword() {
		Visitor stranger = Visitor.of(this.site);
		Answer page = stranger.get("/bookmarks");
		assertThat(page.status()).isEqualTo(303);
		assertThat(page.location()).isEqualTo("/login?next=%2Fbookmarks");
	}

	@Test
	void theBookmarksOfADeletedAccountAreRemoved() {
		bookmark(this.author.post("kept"));
		String key = Keys.bookmarks(this.reader.id());
		this.reader.get("/settings");
		this.reader.submit("/settings/delete", "password", Visitor.PASSWORD);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(key) == 0);
	}

}
