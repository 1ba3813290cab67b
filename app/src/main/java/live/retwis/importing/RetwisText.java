package live.retwis.importing;

import java.util.regex.Pattern;

/** Texts of the PHP Retwis. They have any characters, and any length. */
final class RetwisText {

	/** Most characters of a text that are printed. */
	private static final int PRINTED = 60;

	/** What is not printed, such as what moves the cursor or turns the direction. */
	private static final Pattern INVISIBLE = Pattern.compile("\\p{C}");

	private RetwisText() {
	}

	/** A text as the operator's terminal may have it. */
	static String printable(String text) {
		String begin = cut(text, PRINTED);
		return INVISIBLE.matcher(begin).replaceAll("?") + ((begin.length() < text.length()) ? "..." : "");
	}

	/** At most so many characters (code points) of the text. */
	static String cut(String text, int most) {
		return isLonger(text, most) ? text.substring(0, text.offsetByCodePoints(0, most)) : text;
	}

	static boolean isLonger(String text, int most) {
		return text.codePointCount(0, text.length()) > most;
	}

}
