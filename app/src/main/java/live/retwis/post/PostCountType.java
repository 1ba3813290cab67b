package live.retwis.post;

import java.util.Locale;

/** What is counted of a post. */
public enum PostCountType {

	/** Posts that reply to it. */
	REPLIES,
	/** Users who like it. */
	LIKES,
	/** Users who repost it. */
	REPOSTS;

	/** Its name: a field of the post's hash, and of the data of a counts event. */
	public String field() {
		return name().toLowerCase(Locale.ROOT);
	}

}
