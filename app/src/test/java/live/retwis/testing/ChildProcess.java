package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A program with its output in a file. Ends with this JVM at the latest.
 */
public final class ChildProcess implements AutoCloseable {

	private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime()
			.addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "child-processes"));
	}

	private final Process process;

	private ChildProcess(Process process) {
		this.process = process;
		RUNNING.add(process);
	}

	/** Starts a program. */
	public static ChildProcess start(Path log, List<String> command) {
		return start(log, command, Map.of());
	}

	/** Starts a program with more in its environment. */
	public static ChildProcess start(Path log, List<String> command, Map<String, String> environment) {
		try {
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
			builder.environment().putAll(environment);
			return new ChildProcess(builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(command.get(0), ex);
		}
	}

	/** The command that starts a JVM with this one's own java. */
	public static List<String> java(List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(arguments);
		return command;
	}

	/**
	 * Waits for its end.
	 * @throws IllegalStateException when it does not end in time, or not well
	 */
	public void await(Duration limit) {
		int exit = end(limit);
		if (exit != 0) {
			throw new IllegalStateException("process " + pid() + " ended with " + exit);
		}
	}

	/**
	 * Waits for its end.
	 * @return with what it ended
	 * @throws IllegalStateException when it does not end in time
	 */
	int end(Duration limit) {
		try {
			if (!this.process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("process " + pid() + " does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		return this.process.exitValue();
	}

	/**
	 * Kills it (SIGKILL) and waits for its death.
	 * @return with what it ended; 137 when that was the signal
	 */
	public int kill() {
		this.process.destroyForcibly();
		return end(Duration.ofSeconds(10));
	}

	/** Sends a signal such as STOP, by the system's own program. */
	public void signal(String name) {
		try {
			int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor();
			if (exit != 0) {
				throw new IllegalStateException("kill -" + name + " " + pid() + " ended with " + exit);
			}
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().join();
		RUNNING.remove(this.process);
	}

}
