package live.retwis.text;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a text in lower case, in a time that grows in line with its length. Two letters
 * cost {@link String#toLowerCase} a look at the whole text each: a capital sigma, which
 * is written differently at the end of a word, and a capital I with a dot, which becomes
 * two characters. Thousands of them take seconds.
 */
final class LowerCase {

	private static final char SIGMA = '\u03a3';

	private static final char SMALL_SIGMA = '\u03c3';

	private static final Pattern WORD = Pattern.compile("\\S+");

	private static final String DOTTED_I = "\u0130";

	private static final String SMALL_DOTTED_I = "i\u0307";

	/**
	 * Most characters of a word that is left to Java. The last sigma of a longer one is
	 * written as any other.
	 */
	private static final int LONGEST = 100;

	private LowerCase() {
	}

	/** The text in lower case. */
	static String of(String text) {
		return (text.indexOf(SIGMA) < 0 && !text.contains(DOTTED_I)) ? text.toLowerCase(Locale.ROOT)
				: WORD.matcher(text).replaceAll((MatchResult found) -> Matcher.quoteReplacement(word(found.group())));
	}

	private static String word(String word) {
		return ((word.length() <= LONGEST) ? word : word.replace(SIGMA, SMALL_SIGMA).replace(DOTTED_I, SMALL_DOTTED_I))
			.toLowerCase(Locale.ROOT);
	}

}
