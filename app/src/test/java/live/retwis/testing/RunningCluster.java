package live.retwis.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.RetwisLive;
import live.retwis.locks.nodes.ProcessProbe;
import org.awaitility.Awaitility;

/**
 * The command {@code cluster} in a process of its own. Its output is in {@code
 * target/instances}.
 */
public final class RunningCluster implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(120);

	private static final Duration END = Duration.ofSeconds(40);

	private static final Pattern OPEN = Pattern.compile("is open at (http://localhost:\\d+) ");

	private final ChildProcess process;

	private final Path log;

	private RunningCluster(ChildProcess process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Starts a cluster on a free port and returns at once. Its instances are quick to
	 * register users.
	 * @param directory where the command is given; its data is below
	 */
	public static RunningCluster launch(Path directory, String... options) {
		String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("blockhound"))
			.collect(Collectors.joining(File.pathSeparator));
		// A JVM keeps to ignore Ctrl-C if it is started so, as all of a background job
		// is.
		List<String> command = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec env --default-signal=INT \"$@\"",
				directory.toAbsolutePath().toString()));
		command.addAll(ChildProcess.java(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath,
				RetwisLive.class.getName(), "cluster", "--port=0")));
		command.addAll(List.of(options));
		command.addAll(List.of(Site.QUICK_PASSWORDS, "--retwis.limits.enabled=false"));
		try {
			Path log = Files.createTempFile(Files.createDirectories(Path.of("target", "instances")), "cluster-",
					".log");
			return new RunningCluster(ChildProcess.start(log, command), log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Starts a cluster and waits until it is open. */
	public static RunningCluster start(Path directory, String... options) {
		RunningCluster cluster = launch(directory, options);
		try {
			cluster.awaitOutput(OPEN.pattern());
			return cluster;
		}
		catch (RuntimeException | Error ex) {
			cluster.close();
			throw ex;
		}
	}

	/** Waits until it has said something, given as a regular expression. */
	public void awaitOutput(String text) {
		Pattern wanted = Pattern.compile(text);
		Awaitility.await(this.log + " says " + text).atMost(START).untilAsserted(() -> {
			boolean alive = this.process.isAlive();
			if (!wanted.matcher(output()).find()) {
				throw alive ? new AssertionError(output()) : new IllegalStateException("It has ended: " + output());
			}
		});
	}

	/** All that it has said. */
	public String output() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Scheme, host and port of its load balancer. */
	public String origin() {
		Matcher open = OPEN.matcher(output());
		if (!open.find()) {
			throw new IllegalStateException("It is not open: " + output());
		}
		return open.group(1);
	}

	/** The ids of all processes that it has started and that still run. */
	public List<Long> parts() {
		return ProcessHandle.of(this.process.pid())
			.stream()
			.flatMap(ProcessHandle::descendants)
			.map(ProcessHandle::pid)
			.toList();
	}

	/** Sends it a signal, such as INT, and waits for its end and that of these parts. */
	public void end(String signal, List<Long> parts) {
		this.process.signal(signal);
		this.process.end(END);
		Awaitility.await("the end of " + parts).atMost(END).until(() -> parts.stream().allMatch(ProcessProbe::isGone));
	}

	@Override
	public void close() {
		if (this.process.isAlive()) {
			this.process.terminate();
			try {
				this.process.end(END);
			}
			finally {
				this.process.close();
			}
		}
	}

}
