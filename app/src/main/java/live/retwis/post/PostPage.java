package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import live.retwis.web.Cursors;
import live.retwis.web.RenderedMarkup;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of posts.
 *
 * @param posts what it shows
 * @param older cursor of the next page; null on the last one
 * @param since commit of the last post, in ms: what was committed before that is on older
 * pages; 0 on the last page
 */
public record PostPage(List<RenderedPost> posts, @Nullable String older, long since) {

	/** The last page. */
	PostPage(List<RenderedPost> posts) {
		this(posts, null, 0);
	}

	/**
	 * The page of a list.
	 * @param key of the list
	 * @param postIds {@link PostRepository#placesFor(int)} of them, or all that there are
	 * @param found the posts that are there, in the same order
	 * @param places where the {@link #ends(List, int) ends} stand in the list
	 * @param count most posts to show
	 */
	public static PostPage of(String key, List<String> postIds, List<RenderedPost> found, Map<String, Cursor> places,
			int count) {
		List<RenderedPost> shown = found.subList(0, Math.min(count, found.size()));
		boolean mayGoOn = found.size() > count || postIds.size() >= PostRepository.placesFor(count);
		Cursor end = mayGoOn ? end(postIds, shown, places, count) : null;
		return (end != null) ? new PostPage(shown, end.text(key), end.score()) : new PostPage(shown);
	}

	/** The posts of which one may be the page's end, and one more before them. */
	public static List<String> ends(List<String> postIds, int count) {
		return postIds.subList(Math.min(Math.max(count - 2, 0), postIds.size()), postIds.size());
	}

	/**
	 * The next page starts after the last post shown, or after all that was read. Where
	 * that one has just been taken out of the list it starts at the one before, and shows
	 * a post again rather than none.
	 */
	private static @Nullable Cursor end(List<String> postIds, List<RenderedPost> shown, Map<String, Cursor> places,
			int count) {
		int end = (shown.size() < count) ? postIds.size() - 1 : postIds.indexOf(shown.get(count - 1).post().id());
		for (int i = end; i >= 0; i--) {
			Cursor place = places.get(postIds.get(i));
			if (place != null) {
				return place;
			}
		}
		return null;
	}

	/** This page and what follows on it as one; what is on both, once. */
	public PostPage with(PostPage next) {
		Set<String> known = this.posts.stream().map((post) -> post.post().id()).collect(Collectors.toSet());
		List<RenderedPost> all = Stream
			.concat(this.posts.stream(), next.posts().stream().filter((post) -> !known.contains(post.post().id())))
			.toList();
		return new PostPage(all, next.older(), next.since());
	}

	/** The articles, for a page that has them where its view says so. */
	public RenderedMarkup markup() {
		return new RenderedMarkup(this.posts.stream().map(RenderedPost::utf8).toList());
	}

	/** The articles, one after the other. */
	public String html() {
		return this.posts.stream().map(RenderedPost::html).collect(Collectors.joining());
	}

	/** Address of the next page; null on the last one. */
	public @Nullable String olderAddress(String path) {
		return (this.older != null) ? path + "?" + Cursors.PARAMETER + "=" + this.older : null;
	}

	/** The page as JSON. */
	public Json json() {
		return new Json(this.posts.stream().map(PostJson::of).toList(), this.older);
	}

	/**
	 * A page as JSON.
	 *
	 * @param posts what it shows
	 * @param older cursor of the next page; null on the last one
	 */
	public record Json(List<PostJson> posts, @Nullable String older) {
	}

}
