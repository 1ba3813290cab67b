package live.retwis.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script or stylesheet without what no browser needs: comments, empty lines, and the
 * space at the start of lines. A comment behind code goes only when it certainly is one.
 */
final class StrippedSource {

	private static final Pattern NEEDLESS = Pattern
		.compile("(?m)^\\s*+(?:(?://(?!.*\\*/).*|(?>/\\*[\\s\\S]*?\\*/)[ \\t]*)\\n)?");

	/** A part of a line in which each text that begins also ends. */
	private static final String WHOLE = "(?:[^\"'`/\\n]|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])*+'"
			+ "|`[^`\\n]*+`|/(?![/*]))*+";

	/** A line of code that ends in a comment. */
	private static final Pattern BESIDE_CODE = Pattern
		.compile("(?m)^(" + WHOLE + ")(?<=[;{}(\\[,>] )(?://" + WHOLE + "|/\\*[^*\\n]*+\\*/)$");

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
		String stripped = BESIDE_CODE.matcher(NEEDLESS.matcher(source).replaceAll(""))
			.replaceAll((line) -> Matcher.quoteReplacement(line.group(1).stripTrailing()));
		Matcher unsafe = OF_MANY_LINES.matcher(stripped);
		if (unsafe.find()) {
			throw new IllegalStateException(
					"static/" + name + ": a text, or a comment behind code, must end in its line: " + unsafe.group());
		}
		return stripped;
	}

}
