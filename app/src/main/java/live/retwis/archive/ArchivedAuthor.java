package live.retwis.archive;

/**
 * What the archive knows of an author.
 *
 * @param id the author's user id
 * @param username the name in the author's posts
 * @param posts number of the author's posts
 * @param newest ms of the commit of the newest one
 * @param pulled number of those that readers pull
 * @param newestPulled ms of the commit of the newest of those; 0 for none
 */
public record ArchivedAuthor(String id, String username, long posts, long newest, long pulled, long newestPulled) {
}
