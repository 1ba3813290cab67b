package live.retwis.archive;

/**
 * A repost in the archive.
 *
 * @param id id of the repost
 * @param author id of the user who reposts
 * @param original id of the post that it shows
 */
public record ArchivedRepost(String id, String author, String original) {
}
