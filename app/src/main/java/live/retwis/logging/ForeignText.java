package live.retwis.logging;

import java.util.regex.Pattern;

/**
 * Text that somebody sent, as it may stand in the log: short, on one line, and without
 * characters that a terminal takes for commands.
 */
public final class ForeignText {

	private static final int LONGEST = 300;

	private static final Pattern OTHERS = Pattern.compile("[^ -~]");

	private ForeignText() {
	}

	/** The beginning of the text, with a question mark for each unusual character. */
	public static String printable(String text) {
		return OTHERS.matcher(text.substring(0, Math.min(text.length(), LONGEST))).replaceAll("?");
	}

}
