package live.retwis.post;

import java.nio.charset.StandardCharsets;

/**
 * A post with its markup, which is the same on every page and in every stream.
 *
 * @param post the post
 * @param utf8 its {@code <article>} as bytes
 */
public record RenderedPost(Post post, byte[] utf8) {

	/** Creates a rendered post from markup as text. */
	public RenderedPost(Post post, String html) {
		this(post, html.getBytes(StandardCharsets.UTF_8));
	}

	/** The markup as text. */
	public String html() {
		return new String(this.utf8, StandardCharsets.UTF_8);
	}

}
