package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import live.retwis.web.CursorParameter;
import live.retwis.web.RenderedMarkup;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of posts.
 *
 * @param posts the posts on the page
 * @param older cursor of the next page; null on the last page
 * @param since commit time of the page's last post, in ms; posts committed earlier are on
 * older pages; 0 on the last page
 */
public record PostListPage(List<RenderedPost> posts, @Nullable String older, long since) {

	/** A page without posts. */
	public static final PostListPage EMPTY = new PostListPage(List.of());

	/** A last page. */
	public PostListPage(List<RenderedPost> posts) {
		this(posts, null, 0);
	}

	/**
	 * A page of a list.
	 * @param key key of the list
	 * @param slice the posts of {@link RenderedPosts#placesFor(int)} ids of the list, or
	 * of fewer if the list has no more
	 * @param places places in the list, at least those of the {@link #ends(List, int)
	 * ends}
	 * @param count most posts to show
	 * @throws ArchiveAwayException when the page would be empty, because it ends before a
	 * post that only the archive has
	 */
	public static PostListPage of(String key, PostListSlice slice, Map<String, Cursor> places, int count) {
		List<RenderedPost> posts = slice.posts().isEmpty() ? slice.whole() : slice.posts();
		List<RenderedPost> shown = posts.subList(0, Math.min(count, posts.size()));
		boolean mayGoOn = posts.size() > count || slice.isCut() || slice.ids().size() >= RenderedPosts.placesFor(count);
		Cursor end = mayGoOn ? end(slice.ids(), shown, places, count) : null;
		return (end != null) ? new PostListPage(shown, end.text(key), end.score()) : new PostListPage(shown);
	}

	/**
	 * The ids of posts that may turn out to be the last on the page, and of one post
	 * before them.
	 */
	public static List<String> ends(List<String> postIds, int count) {
		return postIds.subList(Math.min(Math.max(count - 2, 0), postIds.size()), postIds.size());
	}

	/**
	 * The cursor of the next page: the place of the last post shown, or of the last id
	 * read if all of them are shown. If that post was just removed from the list, the
	 * place of the post before it is used. Then a post may be shown twice, but none is
	 * skipped.
	 */
	private static @Nullable Cursor end(List<String> postIds, List<RenderedPost> shown, Map<String, Cursor> places,
			int count) {
		int end = (shown.size() < count) ? postIds.size() - 1 : postIds.indexOf(shown.get(count - 1).listed().id());
		for (int i = end; i >= 0; i--) {
			Cursor place = places.get(postIds.get(i));
			if (place != null) {
				return place;
			}
		}
		return null;
	}

	/**
	 * This page and the next one as a single page. Posts that are on both appear once.
	 */
	public PostListPage with(PostListPage next) {
		Set<String> known = this.posts.stream().map((post) -> post.post().id()).collect(Collectors.toSet());
		List<RenderedPost> all = Stream
			.concat(this.posts.stream(), next.posts().stream().filter((post) -> !known.contains(post.post().id())))
			.toList();
		return new PostListPage(all, next.older(), next.since());
	}

	/** The articles, for pages whose template has a place for them. */
	public RenderedMarkup markup() {
		return new RenderedMarkup(this.posts.stream().map(RenderedPost::utf8).toList());
	}

	/** Address of the next page; null on the last page. */
	public @Nullable String olderAddress(String path) {
		return (this.older != null) ? path + "?" + CursorParameter.PARAMETER + "=" + this.older : null;
	}

	/**
	 * Address of the stream that continues where the page ends. The position may be older
	 * than the page. Posts after it that are on an older page are not sent again.
	 * @param stream address of the stream
	 * @param position the page has every post up to this position
	 */
	public String live(String stream, LogPosition position) {
		return stream + "?after=" + position + ((this.since > 0) ? "&since=" + this.since : "");
	}

	/** The page as JSON. */
	public Json json() {
		return new Json(this.posts.stream().map(PostDto::of).toList(), this.older);
	}

	/**
	 * A page as JSON.
	 *
	 * @param posts the posts on the page
	 * @param older cursor of the next page; null on the last page
	 */
	public record Json(List<PostDto> posts, @Nullable String older) {
	}

}
