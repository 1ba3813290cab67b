package live.retwis.post;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A post with its markup, which is the same on every page and in every stream.
 *
 * @param post the post
 * @param counts how many replies it has, and so on
 * @param mentioned by name in lower case, the names of mentioned users who existed when
 * it was rendered
 * @param utf8 its {@code <article>} as bytes
 */
public record RenderedPost(Post post, PostCounts counts, Map<String, String> mentioned, byte[] utf8) {

	/** Creates a rendered post from markup as text. */
	RenderedPost(Post post, PostCounts counts, Map<String, String> mentioned, String html) {
		this(post, counts, mentioned, html.getBytes(StandardCharsets.UTF_8));
	}

	/** The markup as text. */
	public String html() {
		return new String(this.utf8, StandardCharsets.UTF_8);
	}

}
