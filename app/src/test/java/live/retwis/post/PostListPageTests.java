package live.retwis.post;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import live.retwis.redis.Cursor;
import live.retwis.web.Avatar;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The place where the next page begins.
 */
class PostListPageTests {

	private static final String KEY = "timeline:1";

	private static final int COUNT = 3;

	private final List<String> ids = IntStream.range(0, RenderedPosts.placesFor(COUNT))
		.mapToObj((i) -> String.format("%013d", 99 - i))
		.toList();

	private static RenderedPost post(String id) {
		return new RenderedPost(new Post(id, "author", "alice", 0, "text", null, null, null),
				new AuthorView("", Avatar.of("author", "alice")), EngagementCounts.of("{}"), Map.of(), "<article>");
	}

	private @Nullable Cursor older(List<String> listed, List<String> there, List<String> placed) {
		Map<String, Cursor> places = new HashMap<>();
		placed.forEach((id) -> places.put(id, new Cursor(this.ids.indexOf(id), id)));
		PostListSlice slice = new PostListSlice(listed, there.stream().map(PostListPageTests::post).toList(), null);
		String older = PostListPage.of(KEY, slice, places, COUNT).older();
		return (older != null) ? Cursor.parse(older, KEY).orElseThrow() : null;
	}

	@Test
	void theNextPageBeginsAfterTheLastPostShown() {
		assertThat(older(this.ids, this.ids, PostListPage.ends(this.ids, COUNT)))
			.isEqualTo(new Cursor(2, this.ids.get(2)));
	}

	@Test
	void deletedPostsMoveTheBeginningOn() {
		List<String> there = this.ids.subList(2, this.ids.size());
		assertThat(older(this.ids, there, PostListPage.ends(this.ids, COUNT)))
			.isEqualTo(new Cursor(4, this.ids.get(4)));
	}

	@Test
	void whenMostPostsAreDeletedItBeginsAfterTheLastPostRead() {
		int last = this.ids.size() - 1;
		assertThat(older(this.ids, this.ids.subList(0, 2), PostListPage.ends(this.ids, COUNT)))
			.isEqualTo(new Cursor(last, this.ids.get(last)));
	}

	@Test
	void whenTheLastPostHasLeftTheListAPostIsRepeatedRatherThanSkipped() {
		List<String> placed = List.of(this.ids.get(1), this.ids.get(3));
		assertThat(older(this.ids, this.ids, placed)).isEqualTo(new Cursor(1, this.ids.get(1)));
	}

	@Test
	void aListThatEndsHereHasNoNextPage() {
		List<String> few = this.ids.subList(0, COUNT);
		assertThat(older(few, few, PostListPage.ends(few, COUNT))).isNull();
		assertThat(older(List.of(), List.of(), PostListPage.ends(List.of(), COUNT))).isNull();
	}

	@Test
	void onlyThePlacesOfPossibleEndsAreRead() {
		assertThat(PostListPage.ends(this.ids, COUNT)).isEqualTo(this.ids.subList(1, this.ids.size()));
		assertThat(PostListPage.ends(this.ids, 1)).isEqualTo(this.ids);
		assertThat(PostListPage.ends(this.ids.subList(0, 1), COUNT)).isEmpty();
	}

}
