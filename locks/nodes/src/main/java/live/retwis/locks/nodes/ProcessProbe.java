package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads from Linux what Java does not know about a process. On other systems all answers
 * are Java's.
 */
public final class ProcessProbe {

	private ProcessProbe() {
	}

	/**
	 * Whether the process runs no more. A zombie counts as gone. A daemon that has ended
	 * stays a zombie in a container whose first process does not collect orphans.
	 */
	public static boolean isGone(long pid) {
		return ProcessHandle.of(pid).isEmpty() || of(pid) == 'Z';
	}

	/**
	 * Whether the process stands still after a SIGSTOP. True where the system does not
	 * tell.
	 */
	public static boolean isStopped(long pid) {
		char state = of(pid);
		return state == 'T' || state == '?';
	}

	private static char of(long pid) {
		try {
			String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
			return stat.charAt(stat.lastIndexOf(')') + 2);
		}
		catch (IOException ex) {
			return '?';
		}
	}

}
