package live.retwis.archive;

import live.retwis.redis.Cursor;

/**
 * A repost in the archive.
 *
 * @param place when it was made, and its id
 * @param author id of the user who reposts
 * @param original id of the post that it shows
 */
public record ArchivedRepost(Cursor place, String author, String original) {

	public String id() {
		return this.place.member();
	}

}
