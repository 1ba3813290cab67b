package live.retwis.web;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins a script with all modules that it imports, so that a page loads one file. Each
 * module becomes a function that is called once and returns what the module exports. It
 * comes after the modules that it imports. Its comments are left out.
 * <p>
 * Only the forms of import and export that this site uses are known. Any other is an
 * error at the start, and so is a name that a module declares twice. A page that loads
 * two scripts has two copies of the modules that both import, so these share no
 * variables.
 */
final class ScriptBundle {

	private static final Pattern IMPORT = Pattern
		.compile("(?m)^import\\s+(?:(\\w+)|\\{([^}]*)})\\s+from\\s+\"\\./([\\w-]+\\.js)\";");

	private static final Pattern EXPORT = Pattern.compile("(?m)^export ((?:async )?(?:const|class|function) (\\w+))");

	private static final Pattern DEFAULT_EXPORT = Pattern.compile("(?m)^export default ");

	private static final Pattern UNKNOWN = Pattern.compile("(?m)^(?:import|export)\\b.*");

	private static final Pattern DECLARATION = Pattern
		.compile("(?m)^(?:export )?(?:async )?(?:const|let|class|function) (\\w+)");

	private final Map<String, String> modules;

	private final Set<String> begun = new HashSet<>();

	/** The functions of the modules, by the names of the modules. */
	private final Map<String, String> written = new LinkedHashMap<>();

	private ScriptBundle(Map<String, String> modules) {
		this.modules = modules;
	}

	/**
	 * The scripts that no other module imports, each with everything that it imports.
	 * @param modules sources by file name
	 * @return scripts by file name
	 * @throws IllegalStateException when a module imports or exports in a way that is not
	 * known
	 */
	static Map<String, String> of(Map<String, String> modules) {
		Set<String> imported = new HashSet<>();
		modules.values()
			.forEach((source) -> IMPORT.matcher(source).results().forEach((found) -> imported.add(found.group(3))));
		Map<String, String> scripts = new TreeMap<>();
		modules.keySet().stream().filter((name) -> !imported.contains(name)).forEach((name) -> {
			ScriptBundle bundle = new ScriptBundle(modules);
			bundle.add(name);
			scripts.put(name, String.join("", bundle.written.values()));
		});
		return scripts;
	}

	private void add(String name) {
		if (this.written.containsKey(name)) {
			return;
		}
		String source = this.modules.get(name);
		if (source == null || !this.begun.add(name)) {
			throw new IllegalStateException(
					"static/" + name + ((source == null) ? " is imported but missing" : " imports itself"));
		}
		IMPORT.matcher(source).results().forEach((found) -> add(found.group(3)));
		this.written.put(name, function(name, source));
	}

	private static String function(String name, String source) {
		Set<String> declared = new HashSet<>();
		DECLARATION.matcher(source).results().map((found) -> found.group(1)).forEach((what) -> {
			if (!declared.add(what)) {
				throw new IllegalStateException("static/" + name + ": " + what + " is declared twice");
			}
		});
		List<String> exported = new ArrayList<>();
		String body = IMPORT.matcher(source).replaceAll(ScriptBundle::variables);
		EXPORT.matcher(body).results().forEach((found) -> exported.add(found.group(2)));
		body = EXPORT.matcher(body).replaceAll("$1");
		if (DEFAULT_EXPORT.matcher(body).find()) {
			exported.add("default: $default");
			body = DEFAULT_EXPORT.matcher(body).replaceFirst("const \\$default = ");
		}
		Matcher unknown = UNKNOWN.matcher(body);
		if (unknown.find()) {
			throw new IllegalStateException(
					"static/" + name + ": imports and exports are written in other ways: " + unknown.group());
		}
		return "const " + variable(name) + " = (() => {\n" + StrippedSource.of(name, body) + "return { "
				+ String.join(", ", exported) + " };\n})();\n";
	}

	private static String variables(MatchResult found) {
		String names = (found.group(1) != null) ? "default: " + found.group(1)
				: found.group(2).strip().replaceAll("\\s+as\\s+", ": ");
		return Matcher.quoteReplacement("const { " + names + " } = " + variable(found.group(3)) + ";");
	}

	/** The variable that has what a module exports. */
	private static String variable(String name) {
		return "$" + name.replace(".js", "").replace('-', '_');
	}

}
