package live.retwis.text;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a text in lower case. For each capital sigma, which is written differently at
 * the end of a word, {@link String#toLowerCase} looks for the words of the whole text.
 * That takes seconds for a few thousand of them.
 */
final class LowerCase {

	private static final char SIGMA = '\u03a3';

	private static final char SMALL_SIGMA = '\u03c3';

	private static final Pattern WORD = Pattern.compile("\\S+");

	/** Most characters of a word whose last sigma is written as such. */
	private static final int LONGEST = 100;

	private LowerCase() {
	}

	/** The text in lower case. */
	static String of(String text) {
		return (text.indexOf(SIGMA) < 0) ? text.toLowerCase(Locale.ROOT)
				: WORD.matcher(text).replaceAll((MatchResult found) -> Matcher.quoteReplacement(word(found.group())));
	}

	private static String word(String word) {
		return ((word.length() <= LONGEST) ? word : word.replace(SIGMA, SMALL_SIGMA)).toLowerCase(Locale.ROOT);
	}

}
