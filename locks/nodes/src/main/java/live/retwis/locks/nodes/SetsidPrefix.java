package live.retwis.locks.nodes;

import java.util.List;

/**
 * Starts a process in a session of its own. A Ctrl-C in a terminal goes to all processes
 * of its session that are in the foreground, so it does not reach such a process.
 */
public final class SetsidPrefix {

	private SetsidPrefix() {
	}

	/**
	 * What stands before the command. The process id is that of the command. Empty where
	 * the system lacks the program, such as macOS; a Ctrl-C then reaches the process.
	 */
	public static List<String> prefix() {
		return RedisBinary.onPath(System.getenv().getOrDefault("PATH", ""), "setsid")
			.map((program) -> List.of(program.toString()))
			.orElse(List.of());
	}

}
