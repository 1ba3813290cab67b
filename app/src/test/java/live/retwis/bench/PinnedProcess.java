package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.ChildProcess;

/**
 * Programs that are bound to one core.
 */
final class PinnedProcess {

	private PinnedProcess() {
	}

	/** Starts a program. */
	static ChildProcess start(int core, Path log, List<String> command) {
		List<String> pinned = new ArrayList<>(launcher(core));
		pinned.addAll(command);
		return ChildProcess.start(log, pinned);
	}

	/** The beginning of a command that starts a program. */
	static List<String> launcher(int core) {
		return List.of("taskset", "-c", Integer.toString(core));
	}

	/** Moves a running process with all its threads. */
	static void move(long pid, int core, Path log) {
		try (ChildProcess taskset = start(core, log,
				List.of("taskset", "-a", "-c", "-p", Integer.toString(core), Long.toString(pid)))) {
			taskset.await(Duration.ofSeconds(10));
		}
	}

	/**
	 * The processor time that a process has used, user and system time, from {@code
	 * /proc}.
	 */
	static Duration cpu(long pid) throws IOException {
		String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
		return Duration.ofMillis(10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12])));
	}

}
