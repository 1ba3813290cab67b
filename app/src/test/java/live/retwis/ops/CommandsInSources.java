package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Redis commands in the source files. Some are sent so rarely that no test sends
 * them.
 */
final class CommandsInSources {

	private static final Path MAIN = Path.of("src", "main");

	/** Commands whose rights are given for each subcommand. */
	private static final Set<String> CONTAINERS = Set.of("xgroup", "xinfo");

	private static final Pattern IN_SCRIPT = Pattern.compile("redis\\.call\\('(\\w+)'(?:, '(\\w+)')?");

	private static final Pattern IN_JAVA = Pattern.compile("\\(c\\) -> c\\.(\\w+)\\(|commands\\.(wait\\w+)\\(");

	/** Commands that have another name in the Java client than in Redis. */
	private static final Map<String, String> OTHERWISE = Map.of("waitForReplication", "wait", "xgroupCreate",
			"xgroup|create");

	private CommandsInSources() {
	}

	/** Commands sent to the data node. */
	static Set<String> dataNode() {
		Set<String> commands = scripts(MAIN.resolve(Path.of("resources", "lua")));
		for (String source : read(MAIN.resolve("java"), Integer.MAX_VALUE)) {
			Matcher call = IN_JAVA.matcher(source);
			while (call.find()) {
				String name = (call.group(1) != null) ? call.group(1) : call.group(2);
				commands.add(OTHERWISE.getOrDefault(name, name.replace("WithScores", "")).toLowerCase(Locale.ROOT));
			}
		}
		return commands;
	}

	/** Commands in scripts that run on a lock node. */
	static Set<String> lockNodes() {
		return scripts(Path.of("..", "locks", "core", "src", "main", "resources", "live", "retwis", "locks"));
	}

	private static Set<String> scripts(Path directory) {
		Set<String> commands = new TreeSet<>();
		for (String script : read(directory, 1)) {
			Matcher call = IN_SCRIPT.matcher(script);
			while (call.find()) {
				String name = call.group(1).toLowerCase(Locale.ROOT);
				commands.add(CONTAINERS.contains(name) ? name + "|" + call.group(2).toLowerCase(Locale.ROOT) : name);
			}
		}
		return commands;
	}

	private static List<String> read(Path directory, int depth) {
		try (Stream<Path> files = Files.find(directory, depth, (file, attributes) -> attributes.isRegularFile())) {
			return files.map(CommandsInSources::text).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
