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

/** A process whose output goes to a file. It ends with this JVM at the latest. */
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

	/** Starts a program with additional environment variables. */
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

	/** A command that starts a JVM of the same installation as this one. */
	public static List<String> java(List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(arguments);
		return command;
	}

	/**
	 * Waits until the process ends.
	 * @throws IllegalStateException when it does not end in time, or ends with an error
	 */
	public void await(Duration limit) {
		int exit = end(limit);
		if (exit != 0) {
			throw new IllegalStateException("process " + pid() + " ended with " + exit);
		}
	}

	/**
	 * Waits until the process ends.
	 * @return its exit code
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
	 * Kills the process (SIGKILL) and waits until it has ended.
	 * @return its exit code; 137 when the signal ended it
	 */
	public int kill() {
		this.process.destroyForcibly();
		return end(Duration.ofSeconds(10));
	}

	/** Sends SIGTERM. Does nothing if the process has ended. */
	public void terminate() {
		this.process.destroy();
	}

	/** Sends a signal such as STOP, with the system's {@code kill} program. */
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
