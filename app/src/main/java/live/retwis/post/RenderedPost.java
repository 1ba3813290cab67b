package live.retwis.post;

import java.nio.charset.StandardCharsets;

/**
 * A post with its markup, which is the same on every page and in every stream.
 *
 * @param post the post
 * @param counts its counts, such as the number of replies
 * @param utf8 its {@code <article>} as bytes
 */
public record RenderedPost(Post post, PostCounts counts, byte[] utf8) {

	/** Creates a rendered post from markup as text. */
	RenderedPost(Post post, PostCounts counts, String html) {
		this(post, counts, html.getBytes(StandardCharsets.UTF_8));
	}

	/** The markup as text. */
	public String html() {
		return new String(this.utf8, StandardCharsets.UTF_8);
	}

}
