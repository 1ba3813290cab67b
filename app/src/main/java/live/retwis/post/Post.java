package live.retwis.post;

import live.retwis.log.LogEntry;
import live.retwis.text.ParsedPostText;
import org.jspecify.annotations.Nullable;

/**
 * A post. It never changes, but it can be deleted.
 *
 * @param id time-ordered id
 * @param authorId user id of the author
 * @param author username of the author
 * @param created ms since the epoch
 * @param body text, lines ended by LF
 * @param replyTo id of the post that it replies to; null for none
 * @param replyAuthor username of that post's author; null for none
 * @param repostOf id of the post that it reposts, in which case it has no text of its
 * own; null for none
 */
public record Post(String id, String authorId, String author, long created, String body, @Nullable String replyTo,
		@Nullable String replyAuthor, @Nullable String repostOf) {

	/** The facts that the log has of a post. */
	LogEntry.PostFacts facts() {
		return new LogEntry.PostFacts(ParsedPostText.of(this.body).tags(), this.replyTo, this.repostOf);
	}

}
