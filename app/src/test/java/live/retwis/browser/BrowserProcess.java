package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultHandle;
import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * A process with its children, its output and a temporary folder. All of it is removed at
 * the end of this JVM at the latest.
 */
final class BrowserProcess {

	/** Prefix of the folders of this JVM's browsers. */
	static final String FOLDER_PREFIX = "retwis-browser-" + ProcessHandle.current().pid() + "-";

	/**
	 * The readers' time zone, 5 h 45 min ahead of UTC. The server's own is another one
	 * almost everywhere.
	 */
	private static final String ZONE = "Asia/Kathmandu";

	private static final Duration START_LIMIT = Duration.ofSeconds(60);

	private static final Duration EXIT_LIMIT = Duration.ofSeconds(5);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

	private final Path folder;

	private final Process process;

	private final Thread atExit = new Thread(this::kill, "browser-exit");

	private volatile List<ProcessHandle> children = List.of();

	private BrowserProcess(Path folder, Process process) {
		this.folder = folder;
		this.process = process;
		Runtime.getRuntime().addShutdownHook(this.atExit);
	}

	/** A folder for the profile and for all files that the process writes. */
	static Path newFolder() {
		try {
			return Files.createTempDirectory(FOLDER_PREFIX);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Starts a command. Its output goes to a file in the folder. */
	static BrowserProcess start(Path folder, List<String> command) {
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(folder.resolve("output.txt").toFile());
		builder.environment().put("TZ", ZONE);
		try {
			return new BrowserProcess(folder, builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits until the process prints a matching line, and returns the first group of the
	 * match.
	 */
	String awaitLine(Pattern line) {
		return Awaitility.await()
			.atMost(START_LIMIT)
			.pollDelay(Duration.ZERO)
			.pollInterval(POLL_INTERVAL)
			.failFast("it ended", () -> !this.process.isAlive())
			.until(() -> line.matcher(output()), Matcher::find)
			.group(1);
	}

	/** An exception that shows what the process printed. */
	IllegalStateException failure(Exception cause) {
		return new IllegalStateException("Does not start: " + this.process.info().commandLine().orElse("browser") + ": "
				+ cause.getMessage() + "\n" + output(), cause);
	}

	/**
	 * Remembers the children that exist now. If a driver dies, its children get another
	 * parent and could not be found any more.
	 */
	void noteChildren() {
		this.children = Stream.concat(this.children.stream(), this.process.descendants())
			.filter(ProcessHandle::isAlive)
			.distinct()
			.toList();
	}

	/**
	 * Stops (SIGSTOP) the browser: the children of its driver, or the process itself if
	 * there is no driver.
	 */
	FaultHandle sleep() {
		noteChildren();
		List<ProcessHandle> asleep = Stream.concat(Stream.of(this.process.toHandle()), this.children.stream())
			.filter((one) -> !one.info().command().orElse("").endsWith("driver"))
			.toList();
		signal("STOP", asleep);
		return () -> signal("CONT", asleep);
	}

	private static void signal(String name, List<ProcessHandle> processes) {
		List<String> command = new ArrayList<>(List.of("kill", "-" + name));
		processes.stream().filter(ProcessHandle::isAlive).forEach((one) -> command.add(Long.toString(one.pid())));
		try {
			new ProcessBuilder(command).inheritIO().start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Completes when the process has ended. */
	CompletableFuture<Process> gone() {
		return this.process.onExit();
	}

	/**
	 * Asks the browser to end, gives it time to do so, and kills what is left, such as a
	 * driver.
	 * @param ask sends the request, and returns whether there was anyone to ask
	 */
	void end(BooleanSupplier ask) {
		noteChildren();
		if (ask.getAsBoolean()) {
			awaitExit(this.children);
		}
		this.process.destroy();
		awaitExit(List.of(this.process.toHandle()));
		kill();
		awaitExit(this.children);
		Runtime.getRuntime().removeShutdownHook(this.atExit);
		delete();
	}

	private static void awaitExit(List<ProcessHandle> processes) {
		try {
			CompletableFuture.allOf(processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
				.get(EXIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			// It is killed below.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void kill() {
		noteChildren();
		this.process.destroyForcibly();
		this.children.forEach(ProcessHandle::destroyForcibly);
	}

	/** Tries several times, because a process may write its last file meanwhile. */
	private void delete() {
		Awaitility.await()
			.atMost(EXIT_LIMIT)
			.pollDelay(Duration.ZERO)
			.ignoreException(IOException.class)
			.until(() -> FileSystemUtils.deleteRecursively(this.folder) || Files.notExists(this.folder));
	}

	private String output() {
		try {
			return Files.readString(this.folder.resolve("output.txt"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
