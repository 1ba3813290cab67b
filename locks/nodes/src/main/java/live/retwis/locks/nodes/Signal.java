package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Signals that Java has no name for.
 */
public enum Signal {

	/** Stops a process in its tracks. */
	STOP,

	/** Lets a stopped process go on. */
	CONT;

	private static final Duration BOUND = Duration.ofSeconds(10);

	/**
	 * Sends it, by the shell's own kill: not every system has the program. Where the
	 * system tells (Linux), a process that is to stop stands still on return.
	 */
	public void send(long pid) {
		try {
			Process shell = new ProcessBuilder("sh", "-c", "kill -" + this + " " + pid).inheritIO().start();
			if (!Poll.until(BOUND, () -> !shell.isAlive()) || shell.exitValue() != 0) {
				throw new IllegalStateException("Process " + pid + " did not take SIG" + this);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (this == STOP && !Poll.until(BOUND, () -> ProcessState.isStopped(pid))) {
			throw new IllegalStateException("Process " + pid + " runs on after SIGSTOP");
		}
	}

}
