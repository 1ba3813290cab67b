package live.retwis.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Checks pages by the rules of WCAG 2.2, level AA, that a program can check (axe).
 */
final class Accessibility {

	/** An expression that makes the rules known to the page. */
	private static final String RULES = read("/axe.min.js") + ";\n0";

	private static final String CHECK = """
			axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then(
				({ violations }) => violations.flatMap(({ id, nodes }) =>
					nodes.map(({ html, failureSummary }) => `${id}: ${html}\\n${failureSummary}`)))""";

	private Accessibility() {
	}

	private static String read(String resource) {
		try (InputStream in = Objects.requireNonNull(Accessibility.class.getResourceAsStream(resource), resource)) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What is wrong with the page that the tab shows: the rules, with the elements. */
	static List<String> violations(Tab tab) {
		tab.evaluate(RULES);
		return ((List<?>) Objects.requireNonNull(tab.evaluate(CHECK))).stream().map(String::valueOf).toList();
	}

}
