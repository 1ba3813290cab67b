package live.retwis.post;

import java.util.List;
import java.util.stream.Collectors;

import live.retwis.web.Cursors;
import live.retwis.web.Markup;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of posts.
 *
 * @param posts what it shows
 * @param older cursor of the next page; null on the last one
 */
public record PostPage(List<RenderedPost> posts, @Nullable String older) {

	/** The articles, for a page that has them where its view says so. */
	public Markup markup() {
		return new Markup(this.posts.stream().map(RenderedPost::utf8).toList());
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
