package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.SetsidPrefix;

/**
 * Kills processes when this program is killed. A small shell process knows their ids. It
 * waits at the end of a pipe that breaks when this program ends, in whatever way.
 */
final class ProcessWatchdog implements AutoCloseable {

	private static final String SCRIPT = """
			trap '' INT TERM HUP
			all=' '
			while read -r sign pid; do
				case $sign in
				+) all="$all$pid " ;;
				-) all="${all%% $pid *} ${all#* $pid }" ;;
				esac
			done
			for pid in $all; do kill -KILL "$pid" 2> /dev/null; done
			""";

	private static final Duration END = Duration.ofSeconds(5);

	private final Process shell;

	private final Writer pids;

	ProcessWatchdog() {
		List<String> command = new ArrayList<>(SetsidPrefix.prefix());
		command.addAll(List.of("sh", "-c", SCRIPT));
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

	/** Kills what has not ended yet. */
	@Override
	public void close() {
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
