package live.retwis.bookmark;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.export.ExportPart;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The posts that a user keeps, since when; the latest first. */
@Component
class BookmarksExport implements ExportPart {

	private final PostListRepository lists;

	BookmarksExport(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public String name() {
		return "bookmarks";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.lists.newest(Keys.bookmarks(userId), after, PAGE);
	}

	@Override
	public Mono<List<BookmarkJson>> items(List<Cursor> places) {
		return Mono.just(places.stream()
			.map((place) -> new BookmarkJson(place.member(), TimeFormat.iso(place.score())))
			.toList());
	}

	/**
	 * A bookmark as JSON.
	 *
	 * @param post id of the post
	 * @param bookmarkedAt ISO 8601 UTC
	 */
	record BookmarkJson(String post, @JsonProperty("bookmarked_at") String bookmarkedAt) {
	}

}
