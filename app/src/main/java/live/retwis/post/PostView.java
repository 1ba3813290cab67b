package live.retwis.post;

import java.util.List;
import java.util.Map;

import live.retwis.text.ParsedPostText;
import live.retwis.web.Avatar;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;

/**
 * What the article template sees.
 *
 * @param id post id
 * @param authorId user id of the author
 * @param author username
 * @param name the name of the author to show; empty when it is the username
 * @param avatar picture of the author
 * @param parts the text
 * @param createdAt ISO 8601 UTC
 * @param createdText the same time for people
 * @param replyTo the post that it replies to; null for none
 * @param counts how many replies it has, and so on, by name
 */
record PostView(String id, String authorId, String author, String name, Avatar avatar, List<TextPartView> parts,
		String createdAt, String createdText, PostView.@Nullable ReplyTo replyTo, Map<String, Long> counts) {

	/**
	 * What the template shows of a post.
	 * @param mentioned by name in lower case, the names of mentioned users who exist
	 */
	static PostView of(Post post, AuthorView author, EngagementCounts counts, ParsedPostText text,
			Map<String, String> mentioned) {
		ReplyTo replyTo = (post.replyTo() != null && post.replyAuthor() != null)
				? new ReplyTo(post.replyTo(), post.replyAuthor()) : null;
		return new PostView(post.id(), post.authorId(), post.author(), author.name(), author.avatar(),
				text.parts().stream().map((part) -> TextPartView.of(part, mentioned)).toList(),
				TimeFormat.iso(post.created()), TimeFormat.numbers(post.created()), replyTo, counts.byName());
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
