package live.retwis.post;

import org.jspecify.annotations.Nullable;

/**
 * A post. It never changes; it can only be deleted.
 *
 * @param id time-ordered
 * @param authorId user id
 * @param author username
 * @param created ms since the epoch
 * @param body text, lines ended by LF
 * @param replyTo the post that it replies to; null when none
 * @param replyAuthor username of that post's author; null when none
 */
public record Post(String id, String authorId, String author, long created, String body, @Nullable String replyTo,
		@Nullable String replyAuthor) {
}
