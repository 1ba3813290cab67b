package live.retwis.timeline;

/**
 * How many posts an author has.
 *
 * @param posts number of posts
 * @param archived whether some of them are in the archive
 */
public record AuthorPostCount(long posts, boolean archived) {
}
