package live.retwis.post;

import java.util.regex.Pattern;

/** Rules for the text of a post. */
public final class PostBody {

	private static final Pattern LINE_END = Pattern.compile("\r\n?");

	private PostBody() {
	}

	/** The text with CRLF and CR as LF. */
	public static String withLineFeeds(String text) {
		return LINE_END.matcher(text).replaceAll("\n");
	}

	/** Whether there is nothing to see. */
	public static boolean isBlank(String text) {
		return text.codePoints().allMatch(PostBody::isInvisible);
	}

	private static boolean isInvisible(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character)
				|| Character.getType(character) == Character.FORMAT;
	}

	/** Whether no post has this character. */
	public static boolean isRefused(int character) {
		return Character.isISOControl(character) && character != '\n' && character != '\t';
	}

}
