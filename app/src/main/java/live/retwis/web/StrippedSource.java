package live.retwis.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script or stylesheet without what no browser needs: comments that have whole lines,
 * empty lines, and the space at the start of lines. What stands beside code stays.
 */
final class StrippedSource {

	private static final Pattern NEEDLESS = Pattern
		.compile("(?m)^\\s*+(?:(?://(?!.*\\*/).*|(?>/\\*[\\s\\S]*?\\*/)[ \\t]*)\\n)?");

	/** A text or a comment that goes on in the next line: its space must stay. */
	private static final Pattern OF_MANY_LINES = Pattern
		.compile("(?m)^[^`\\n]*(?:`[^`\\n]*`[^`\\n]*)*`[^`\\n]*$|^.*/\\*(?!.*\\*/).*$|^.*\\\\$");

	private StrippedSource() {
	}

	/**
	 * Strips a source.
	 * @param name name of its file
	 * @throws IllegalStateException when a template literal, a string or a comment that
	 * begins behind code has several lines
	 */
	static String of(String name, String source) {
		String stripped = NEEDLESS.matcher(source).replaceAll("");
		Matcher unsafe = OF_MANY_LINES.matcher(stripped);
		if (unsafe.find()) {
			throw new IllegalStateException(
					"static/" + name + ": a text, or a comment behind code, must end in its line: " + unsafe.group());
		}
		return stripped;
	}

}
