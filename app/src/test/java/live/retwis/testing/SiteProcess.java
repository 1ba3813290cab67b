package live.retwis.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.RetwisLive;
import live.retwis.locks.testing.TestPorts;
import org.awaitility.Awaitility;

/**
 * An instance of the site in a process of its own, which can be killed. Its output is in
 * {@code target/instances}.
 */
public final class SiteProcess implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(60);

	/** What ends a process by SIGTERM, as its parent sees it. */
	private static final int TERMINATED = 128 + 15;

	/** What ends a process by SIGKILL, as its parent sees it. */
	private static final int KILLED = 128 + 9;

	/** This JVM's classes, but for what fails a program that blocks. */
	private static final Predicate<String> WITHOUT_BLOCKHOUND = (entry) -> !entry.contains("blockhound");

	/** None of the tests' own, which say how to log, either. */
	private static final Predicate<String> PACKAGED = WITHOUT_BLOCKHOUND
		.and((entry) -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"));

	private final ChildProcess process;

	private final String origin;

	private final String management;

	private final Path log;

	private SiteProcess(ChildProcess process, int port, int managementPort, Path log) {
		this.process = process;
		this.origin = "http://127.0.0.1:" + port;
		this.management = "http://127.0.0.1:" + managementPort;
		this.log = log;
	}

	/** Starts it and returns at once. */
	public static SiteProcess launch(int redisPort, String... settings) {
		return launch(SharedData.settings("127.0.0.1", redisPort), settings);
	}

	/**
	 * Starts it and returns at once.
	 * @param data settings that say where its data is
	 */
	public static SiteProcess launch(List<String> data, String... settings) {
		return launch(Map.of(), data, settings);
	}

	/** Starts it with more in its environment and returns at once. */
	public static SiteProcess launch(Map<String, String> environment, List<String> data, String... settings) {
		return launch(TestPorts.next(), environment, WITHOUT_BLOCKHOUND, data, settings);
	}

	/**
	 * Starts it with the log that a packaged one has, not with that of the tests, and
	 * returns at once.
	 */
	public static SiteProcess launchWithItsOwnLog(Map<String, String> environment, List<String> data,
			String... settings) {
		return launch(TestPorts.next(), environment, PACKAGED, data, settings);
	}

	/** Starts it on that port and returns at once. */
	public static SiteProcess launchAt(int port, List<String> data, String... settings) {
		return launch(port, Map.of(), WITHOUT_BLOCKHOUND, data, settings);
	}

	private static SiteProcess launch(int port, Map<String, String> environment, Predicate<String> classes,
			List<String> data, String... settings) {
		int managementPort = TestPorts.next();
		List<String> arguments = new ArrayList<>(List.of("--server.port=" + port,
				"--management.server.port=" + managementPort, Site.QUICK_PASSWORDS, "--retwis.limits.enabled=false"));
		arguments.addAll(List.of(settings));
		Path log = directory().resolve("site-" + port + ".log");
		return new SiteProcess(ChildProcess.start(log, command(classes, data, arguments), environment), port,
				managementPort, log);
	}

	/**
	 * Runs the doctor as a process of its own, over all that is stored.
	 * @param data settings that say where the data is
	 * @return what it said when it found nothing
	 * @throws IllegalStateException when it found something, or does not end
	 */
	public static String doctor(List<String> data, String... options) {
		Path log = directory().resolve("doctor-" + TestPorts.next() + ".log");
		List<String> arguments = new ArrayList<>(List.of("doctor"));
		arguments.addAll(List.of(options));
		try (ChildProcess doctor = ChildProcess.start(log, command(WITHOUT_BLOCKHOUND, data, arguments))) {
			int exit = doctor.end(START);
			String said = Files.readString(log);
			if (exit != 0) {
				throw new IllegalStateException("The doctor ended with " + exit + ":\n" + said);
			}
			return said;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> command(Predicate<String> classes, List<String> data, List<String> arguments) {
		// Started often and killed soon: what a hot server needs would only slow it down.
		List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
				"-Xmx192m", "-cp", classPath(classes), RetwisLive.class.getName()));
		all.addAll(arguments);
		all.add("--retwis.embedded=false");
		all.addAll(data);
		return ChildProcess.java(all);
	}

	private static String classPath(Predicate<String> classes) {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(classes)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static Path directory() {
		try {
			return Files.createDirectories(Path.of("target", "instances"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until it serves. */
	public SiteProcess ready() {
		Awaitility.await("the start of " + this.log.toAbsolutePath())
			.atMost(START)
			.pollInterval(Duration.ofMillis(100))
			.failFast(() -> !this.process.isAlive())
			.ignoreExceptions()
			.until(() -> Visitor.at(this.origin).get("/").status() == 200);
		return this;
	}

	/** Scheme, host and port. */
	public String origin() {
		return this.origin;
	}

	/** Scheme, host and port of its metrics and its health. */
	public String management() {
		return this.management;
	}

	/** Somebody who looks at its management port. */
	public Visitor operator() {
		return Visitor.at(this.management);
	}

	public int port() {
		return URI.create(this.origin).getPort();
	}

	/** The whole lines of its output so far. */
	public List<String> logged() {
		try {
			String output = Files.readString(this.log);
			return output.substring(0, output.lastIndexOf('\n') + 1).lines().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public long pid() {
		return this.process.pid();
	}

	/** Asks it to end (SIGTERM). */
	public void terminate() {
		this.process.signal("TERM");
	}

	/** Asks it to end (SIGTERM); on return it has, in time and in order. */
	public void terminate(Duration limit) {
		terminate();
		awaitEnd(limit);
	}

	/** Waits until it has ended as it was asked to. */
	public void awaitEnd(Duration limit) {
		int exit = this.process.end(limit);
		if (exit != TERMINATED) {
			throw new AssertionError("It ended with " + exit + " when asked to; see " + this.log);
		}
	}

	/** Kills it (SIGKILL); on return it is dead. */
	public void kill() {
		int exit = this.process.kill();
		if (exit != KILLED) {
			throw new AssertionError("It ended with " + exit + " before it was killed; see " + this.log);
		}
	}

	/** Stops it in its tracks (SIGSTOP): for itself no time passes. */
	public void pause() {
		this.process.signal("STOP");
	}

	public void resume() {
		this.process.signal("CONT");
	}

	@Override
	public void close() {
		this.process.close();
	}

}
