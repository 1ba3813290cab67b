package live.retwis.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A program on one core, with its output in a file. Ends with this JVM at the latest.
 */
final class PinnedProcess implements AutoCloseable {

	private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime()
			.addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "pinned-processes"));
	}

	private final Process process;

	private PinnedProcess(Process process) {
		this.process = process;
		RUNNING.add(process);
	}

	/** Starts a JVM with this one's own java. */
	static PinnedProcess java(int core, Path log, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(arguments);
		return start(core, log, command);
	}

	/** Starts a program. */
	static PinnedProcess start(int core, Path log, List<String> command) throws IOException {
		List<String> pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
		pinned.addAll(command);
		return new PinnedProcess(
				new ProcessBuilder(pinned).redirectErrorStream(true).redirectOutput(log.toFile()).start());
	}

	/** Moves a process that runs already, with all its threads. */
	static void move(long pid, int core, Path log) throws IOException {
		try (PinnedProcess taskset = start(core, log,
				List.of("taskset", "-a", "-c", "-p", Integer.toString(core), Long.toString(pid)))) {
			taskset.await(Duration.ofSeconds(10));
		}
	}

	/** A port that nobody has. Somebody may take it before it is used. */
	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Waits for its end.
	 * @throws IllegalStateException when it does not end in time, or not well
	 */
	void await(Duration limit) {
		try {
			if (!this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("process " + pid() + " does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		if (this.process.exitValue() != 0) {
			throw new IllegalStateException("process " + pid() + " ended with " + this.process.exitValue());
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	long pid() {
		return this.process.pid();
	}

	/**
	 * What it has used of its core, user and system time, as Linux tells it in
	 * {@code /proc}.
	 */
	static Duration cpu(long pid) throws IOException {
		String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
		return Duration.ofMillis(10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12])));
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().join();
		RUNNING.remove(this.process);
	}

}
