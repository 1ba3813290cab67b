package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux tells about a process beyond what Java does. Elsewhere all answers are
 * Java's.
 */
public final class ProcessState {

	private ProcessState() {
	}

	/**
	 * Whether it runs no more. A zombie is gone: where a container's first process does
	 * not collect orphans, a daemon that ended stays one.
	 */
	public static boolean isGone(long pid) {
		return ProcessHandle.of(pid).isEmpty() || of(pid) == 'Z';
	}

	/** Whether it stands still after SIGSTOP; yes where nothing is known. */
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
