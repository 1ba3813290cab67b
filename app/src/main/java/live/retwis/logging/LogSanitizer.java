package live.retwis.logging;

import java.util.regex.Pattern;

/**
 * Makes text that somebody sent fit for the log: short, on one line, and without
 * characters that a terminal takes for commands.
 */
public final class LogSanitizer {

	private static final int LONGEST = 300;

	private static final Pattern OTHERS = Pattern.compile("[^ -~]");

	private LogSanitizer() {
	}

	/** The beginning of the text, with a question mark for each unusual character. */
	public static String printable(String text) {
		return OTHERS.matcher(text.substring(0, Math.min(text.length(), LONGEST))).replaceAll("?");
	}

}
