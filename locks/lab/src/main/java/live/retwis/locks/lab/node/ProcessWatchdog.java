package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.SetsidPrefix;

/**
 * Kills processes when this program is killed. A small shell process knows their ids. It
 * waits at the end of a pipe that breaks when this program ends, in whatever way. A
 * program may be killed after it has started a process and before it has told its id. So
 * the shell also looks for processes that work in the program's directory, where the
 * system has {@code /proc}.
 */
final class ProcessWatchdog implements AutoCloseable {

	private static final String SCRIPT = """
			trap '' INT TERM HUP
			all=' '
			ended=
			while read -r sign pid; do
				case $sign in
				+) all="$all$pid " ;;
				-) all="${all%% $pid *} ${all#* $pid }" ;;
				.) ended=yes ;;
				esac
			done
			for pid in $all; do kill -KILL "$pid" 2> /dev/null; done
			[ -z "$ended" ] || exit
			for look in 1 2 3 4 5 6 7 8 9 10; do
				found=$(ls -l /proc/[0-9]*/cwd 2> /dev/null | while read -r line; do
					case $line in
					(*" -> $1/"*) pid=${line#*/proc/}; echo "${pid%%/*}" ;;
					esac
				done)
				[ -z "$found" ] || kill -KILL $found 2> /dev/null
				sleep 0.1
			done
			""";

	private static final Duration END = Duration.ofSeconds(5);

	private final Process shell;

	private final Writer pids;

	/**
	 * Starts the shell.
	 * @param directory in which all processes work that are to be killed, each in a
	 * directory of its own
	 */
	ProcessWatchdog(Path directory) {
		List<String> command = new ArrayList<>(SetsidPrefix.prefix());
		command.addAll(List.of("sh", "-c", SCRIPT, "watchdog", directory.toString()));
		try {
			this.shell = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No shell to watch over the processes", ex);
		}
		this.pids = this.shell.outputWriter(StandardCharsets.UTF_8);
	}

	/** Kills the process, too, unless it has ended before: another one may get its id. */
	void watch(long pid) {
		tell("+", pid);
		ProcessHandle.of(pid)
			.ifPresentOrElse((process) -> process.onExit().thenRun(() -> tell("-", pid)), () -> tell("-", pid));
	}

	private synchronized void tell(String sign, long pid) {
		try {
			this.pids.write(sign + " " + pid + "\n");
			this.pids.flush();
		}
		catch (IOException ex) {
			// The shell has ended.
		}
	}

	/** Kills what it knows of and what has not ended yet. */
	@Override
	public void close() {
		tell(".", 0);
		synchronized (this) {
			try {
				this.pids.close();
			}
			catch (IOException ex) {
				// The shell has ended.
			}
		}
		if (!Poll.until(END, () -> !this.shell.isAlive())) {
			this.shell.destroyForcibly();
		}
	}

}
