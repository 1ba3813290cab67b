package live.retwis.locks.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The site's modules that draw a round, as one script that imports nothing, for a page
 * that is a single file. Each module becomes a function that returns what it exports.
 */
final class ReportScriptBundle {

	/** Each comes after the modules that it imports. */
	private static final List<String> MODULES = List.of("elements.js", "lab-names.js", "lab-history.js", "lab-lanes.js",
			"lab-steps.js", "lab-replay.js", "lab-round.js");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import \\{([^}]*)} from \"\\./([\\w-]+\\.js)\";");

	private static final Pattern EXPORT = Pattern.compile("(?m)^export ((?:const|class|function) (\\w+))");

	private ReportScriptBundle() {
	}

	/** The script. It ends with the variable {@code showRound}. */
	static String script() {
		return MODULES.stream().map(ReportScriptBundle::function).collect(Collectors.joining())
				+ "const { showRound } = $lab_round;\n";
	}

	private static String function(String name) {
		String source = read(name);
		String exported = EXPORT.matcher(source)
			.results()
			.map((found) -> found.group(2))
			.collect(Collectors.joining(", "));
		String body = IMPORT.matcher(source)
			.replaceAll((found) -> Matcher
				.quoteReplacement("const {" + found.group(1) + "} = " + variable(found.group(2)) + ";"));
		return "const " + variable(name) + " = (() => {\n" + EXPORT.matcher(body).replaceAll("$1") + "return { "
				+ exported + " };\n})();\n";
	}

	private static String variable(String name) {
		return "$" + name.replace(".js", "").replace('-', '_');
	}

	/** A file that is packed with this class. */
	static String read(String name) {
		try (InputStream file = ReportScriptBundle.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The program is not whole", ex);
		}
	}

}
