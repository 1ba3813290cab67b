package live.retwis.post;

import java.util.Map;

import live.retwis.web.Avatar;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;

/**
 * What the article template sees.
 *
 * @param id post id
 * @param authorId user id of the author
 * @param author username
 * @param initial letter shown in place of a picture
 * @param tone colour behind the letter
 * @param body text
 * @param createdAt ISO 8601 UTC
 * @param createdText the same time for people
 * @param replyTo the post that it replies to; null for none
 * @param counts how many replies it has, and so on, by name
 */
record PostView(String id, String authorId, String author, String initial, int tone, String body, String createdAt,
		String createdText, PostView.@Nullable ReplyTo replyTo, Map<String, Long> counts) {

	static PostView of(Post post, PostCounts counts) {
		ReplyTo replyTo = (post.replyTo() != null && post.replyAuthor() != null)
				? new ReplyTo(post.replyTo(), post.replyAuthor()) : null;
		return new PostView(post.id(), post.authorId(), post.author(), Avatar.initial(post.author()),
				Avatar.tone(post.author()), post.body(), TimeFormat.iso(post.created()),
				TimeFormat.numbers(post.created()), replyTo, counts.byName());
	}

	/**
	 * The post that a post replies to.
	 *
	 * @param id post id
	 * @param author username
	 */
	record ReplyTo(String id, String author) {
	}

}
