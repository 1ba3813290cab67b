package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.text.ParsedPostText;
import org.jspecify.annotations.Nullable;

/**
 * What a deleted post was about. It is known for a day, so that the post can be removed
 * from wherever that has put it.
 *
 * @param authorId id of its author
 * @param replyTo id of the post that it replied to; null for none
 * @param tags its folded tags
 * @param mentions the names of the users whom it mentioned, in lower case
 */
public record DeletedPost(String authorId, @Nullable String replyTo, List<String> tags, List<String> mentions) {

	/** The field of the post's hash that has the tags and the names. */
	public static final String LINKS = "links";

	private static final String TAG = "#";

	private static final String MENTION = "@";

	private static final String BETWEEN = " ";

	/** The tags and the names in a text, as the hash has them. */
	static String links(String body) {
		ParsedPostText text = ParsedPostText.of(body);
		return Stream.concat(text.tags().stream().map(TAG::concat), text.mentions().stream().map(MENTION::concat))
			.collect(Collectors.joining(BETWEEN));
	}

	/** Reads the fields {@code author}, {@code reply_to} and {@code links}. */
	static DeletedPost of(Map<String, String> fields) {
		List<String> all = List.of(fields.getOrDefault(LINKS, "").split(BETWEEN));
		return new DeletedPost(fields.getOrDefault("author", ""), fields.get("reply_to"), after(TAG, all),
				after(MENTION, all));
	}

	private static List<String> after(String sign, List<String> links) {
		return links.stream().filter((link) -> link.startsWith(sign)).map((link) -> link.substring(1)).toList();
	}

}
