package live.retwis.post;

import java.nio.charset.StandardCharsets;

/**
 * A post with its markup: the same bytes on every page and in every stream.
 *
 * @param post what it says
 * @param utf8 its {@code <article>}
 */
public record RenderedPost(Post post, byte[] utf8) {

	/** From markup as text. */
	public RenderedPost(Post post, String html) {
		this(post, html.getBytes(StandardCharsets.UTF_8));
	}

	/** The markup as text. */
	public String html() {
		return new String(this.utf8, StandardCharsets.UTF_8);
	}

}
