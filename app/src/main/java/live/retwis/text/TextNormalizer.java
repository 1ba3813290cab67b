package live.retwis.text;

import java.util.regex.Pattern;

/**
 * What is kept of a text that somebody typed: a post, a name, a biography, the reason of
 * a report.
 */
public final class TextNormalizer {

	/**
	 * Most line ends of a text. With more of them it would fill a page of posts alone.
	 */
	public static final int MOST_LINE_ENDS = 20;

	/**
	 * Most marks above and below a letter. Words of living languages have at most four:
	 * Burmese has, and Hebrew with vowels and accents. More of them would cover the lines
	 * around the text.
	 */
	private static final int MOST_MARKS = 4;

	private static final Pattern LINE_END = Pattern.compile("\r\n?|[\u2028\u2029]");

	/**
	 * A text that shows nothing: white space, marks without a letter, and what Unicode
	 * says is ignored when it cannot be shown. Java has no name for that property. Most
	 * of it are format characters and marks; the rest stands here, with the blank of
	 * Braille and of music.
	 */
	private static final Pattern BLANK = Pattern.compile("[\\p{IsWhite_Space}\\p{Cc}\\p{Cf}\\p{M}"
			+ "\\p{IsNoncharacter_Code_Point}\\u115F\\u1160\\u2065\\u2800\\u3164\\uFFA0\\uFFF0-\\uFFF8"
			+ "\\x{1D159}\\x{E0000}-\\x{E0FFF}]*");

	private TextNormalizer() {
	}

	/**
	 * The text with LF as its line ends, and without the marks that are too many; empty
	 * when it shows nothing.
	 */
	public static String of(String typed) {
		return BLANK.matcher(typed).matches() ? "" : withFewMarks(LINE_END.matcher(typed).replaceAll("\n"));
	}

	/** Characters that show nothing, such as joiners, do not begin a new letter. */
	private static String withFewMarks(String text) {
		StringBuilder kept = new StringBuilder(text.length());
		int marks = 0;
		for (int character : text.codePoints().toArray()) {
			int type = Character.getType(character);
			boolean isStacked = type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
			if (isStacked) {
				marks++;
			}
			else if (type != Character.FORMAT && type != Character.COMBINING_SPACING_MARK) {
				marks = 0;
			}
			if (!isStacked || marks <= MOST_MARKS) {
				kept.appendCodePoint(character);
			}
		}
		return kept.toString();
	}

	/** How many line ends a text has that {@link #of} returned. */
	public static int lineEnds(String text) {
		return (int) text.chars().filter((character) -> character == '\n').count();
	}

	/** Whether no text has this character. */
	public static boolean isControl(int character) {
		return Character.isISOControl(character) && character != '\n' && character != '\t';
	}

}
