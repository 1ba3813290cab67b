package live.retwis.text;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The text of a post in parts. Joined, they are the text.
 *
 * @param parts in the order of the text
 */
public record ParsedPostText(List<TextPart> parts) {

	/**
	 * Most different tags of a post, and most different users that it mentions. What
	 * comes after them is plain text.
	 */
	public static final int MOST = 10;

	/**
	 * Parses a text. The time that it takes grows in line with the length of the text.
	 */
	public static ParsedPostText of(String text) {
		return new ParsedPostText(new PostTextParser(text).parse());
	}

	/** The folded tags, each once. */
	public Set<String> tags() {
		return each(TextPart.Tag.class, TextPart.Tag::tag);
	}

	/** The names of the mentioned users in lower case, each once. */
	public Set<String> mentions() {
		return each(TextPart.Mention.class, TextPart.Mention::name);
	}

	private <T extends TextPart> Set<String> each(Class<T> kind, Function<T, String> value) {
		Set<String> values = new LinkedHashSet<>();
		this.parts.stream().filter(kind::isInstance).map(kind::cast).map(value).forEach(values::add);
		return values;
	}

}
