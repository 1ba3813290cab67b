package live.retwis.post;

/**
 * A post with its markup: the same bytes on every page and in every stream.
 *
 * @param post what it says
 * @param html its {@code <article>}
 */
public record RenderedPost(Post post, String html) {
}
