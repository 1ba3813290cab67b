package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Signals that Java has no name for.
 */
public enum Signal {

	/** Makes a process stand still. */
	STOP,

	/** Lets a process that stands still go on. */
	CONT;

	private static final Duration BOUND = Duration.ofSeconds(10);

	/**
	 * Sends the signal, by the kill that is built into the shell: not every system has
	 * the program. Where the system tells (Linux), a process that is to stop stands still
	 * when this returns.
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
		if (this == STOP && !Poll.until(BOUND, () -> ProcessProbe.isStopped(pid))) {
			throw new IllegalStateException("Process " + pid + " runs on after SIGSTOP");
		}
	}

}
