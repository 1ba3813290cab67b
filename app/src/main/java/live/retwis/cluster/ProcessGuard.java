package live.retwis.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.nodes.OwnSession;
import live.retwis.locks.nodes.Poll;

/**
 * Kills the processes of this program when the program is killed. A small shell process
 * knows their ids. It waits at the end of a pipe that breaks when this program ends, in
 * whatever way. The ids are also recorded in a file. So if the shell was killed too, the
 * next program ends what was left.
 */
final class ProcessGuard implements AutoCloseable {

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

	private final ProcessRegistry registry = ProcessRegistry.open();

	private final Process shell;

	private final Writer pids;

	private boolean closed;

	ProcessGuard() {
		List<String> command = new ArrayList<>(OwnSession.prefix());
		command.addAll(List.of("sh", "-c", SCRIPT));
		try {
			this.shell = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No shell to watch over the processes", ex);
		}
		this.pids = this.shell.outputWriter(StandardCharsets.UTF_8);
		this.registry.record(this.shell.pid());
	}

	/**
	 * A process was started.
	 * @throws ClusterException when the end has begun; then the process is killed
	 */
	synchronized void started(long pid) {
		if (this.closed) {
			ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
			throw new ClusterException("Ended before it was open");
		}
		this.registry.record(pid);
		tell("+", pid);
	}

	/** A process that was started has ended. Another one may get its id. */
	void ended(long pid) {
		tell("-", pid);
	}

	private synchronized void tell(String sign, long pid) {
		try {
			this.pids.write(sign + " " + pid + "\n");
			this.pids.flush();
		}
		catch (IOException ex) {
			// The shell is gone. The record remains.
		}
	}

	/** Kills what has not ended yet, and removes the record. */
	@Override
	public synchronized void close() {
		this.closed = true;
		try {
			this.pids.close();
		}
		catch (IOException ex) {
			// The shell is gone.
		}
		if (!Poll.until(END, () -> !this.shell.isAlive())) {
			this.shell.destroyForcibly();
		}
		this.registry.close();
	}

}
