package live.retwis.locks.nodes;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts a process in a session of its own. A Ctrl-C in a terminal goes to all processes
 * of its session that are in the foreground, so it does not reach such a process.
 */
public final class SetsidPrefix {

	private static final String PROGRAM = "setsid";

	private SetsidPrefix() {
	}

	/**
	 * What stands before the command. The process id is that of the command. Empty where
	 * the system lacks the program, such as macOS; a Ctrl-C then reaches the process.
	 */
	public static List<String> prefix() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.filter((entry) -> !entry.isBlank())
			.map((entry) -> Path.of(entry, PROGRAM))
			.filter(Files::isExecutable)
			.findFirst()
			.map((program) -> List.of(program.toString()))
			.orElse(List.of());
	}

}
