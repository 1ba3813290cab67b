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
import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;

/**
 * An instance of the site in a separate process, which can be killed. Its output is in
 * {@code target/instances}.
 */
public final class SiteProcess implements AutoCloseable {

	private static final Duration START = Duration.ofMinutes(2);

	/** Exit code of a process that SIGTERM has ended. */
	private static final int TERMINATED = 128 + 15;

	/** Exit code of a process that SIGKILL has ended. */
	private static final int KILLED = 128 + 9;

	/** Selects the class path of this JVM without BlockHound. */
	private static final Predicate<String> WITHOUT_BLOCKHOUND = (entry) -> !entry.contains("blockhound");

	/**
	 * Selects that class path also without the tests' classes, because these configure
	 * logging.
	 */
	private static final Predicate<String> PACKAGED = WITHOUT_BLOCKHOUND
		.and((entry) -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"));

	/** Settings with which many users can register soon. */
	private static final List<String> QUICK = List.of(Site.QUICK_PASSWORDS, "--retwis.limits.enabled=false");

	/**
	 * Instances are started often and killed soon, so they start faster and do without
	 * the optimizations for long runs.
	 */
	private static final List<String> QUICK_JVM = List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto");

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

	/** Starts an instance and returns at once. */
	public static SiteProcess launch(int redisPort, String... settings) {
		return launch(SharedData.settings("127.0.0.1", redisPort), settings);
	}

	/**
	 * Starts an instance and returns at once.
	 * @param data settings that say where its data is
	 */
	public static SiteProcess launch(List<String> data, String... settings) {
		return launch(Map.of(), data, settings);
	}

	/** Starts an instance with additional environment variables, and returns at once. */
	public static SiteProcess launch(Map<String, String> environment, List<String> data, String... settings) {
		return launch(TestPorts.next(), environment, WITHOUT_BLOCKHOUND, data, settings);
	}

	/**
	 * Starts an instance with the log configuration of the packaged site, and returns at
	 * once.
	 */
	public static SiteProcess launchWithItsOwnLog(Map<String, String> environment, List<String> data,
			String... settings) {
		return launch(TestPorts.next(), environment, PACKAGED, data, settings);
	}

	/**
	 * Starts an instance as operators do, and returns at once: without any of the
	 * settings that make tests quick, with all of the compiler's optimizations, and with
	 * the log configuration of the packaged site.
	 */
	public static SiteProcess launchWithDefaults(List<String> data, String... settings) {
		return launch(TestPorts.next(), Map.of(), PACKAGED, List.of(), List.of(), data, settings);
	}

	/** Starts an instance on the given port and returns at once. */
	public static SiteProcess launchAt(int port, List<String> data, String... settings) {
		return launch(port, Map.of(), WITHOUT_BLOCKHOUND, data, settings);
	}

	private static SiteProcess launch(int port, Map<String, String> environment, Predicate<String> classes,
			List<String> data, String... settings) {
		return launch(port, environment, classes, QUICK_JVM, QUICK, data, settings);
	}

	private static SiteProcess launch(int port, Map<String, String> environment, Predicate<String> classes,
			List<String> jvm, List<String> quick, List<String> data, String... settings) {
		int managementPort = TestPorts.next();
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=" + port, "--management.server.port=" + managementPort));
		arguments.addAll(quick);
		arguments.addAll(List.of(settings));
		Path log = directory().resolve("site-" + port + ".log");
		return new SiteProcess(ChildProcess.start(log, command(classes, jvm, data, arguments), environment), port,
				managementPort, log);
	}

	/**
	 * Runs the doctor in a separate process, over all stored data.
	 * @param data settings that say where the data is
	 * @return its output, when it found nothing
	 * @throws IllegalStateException when it found something, or does not end
	 */
	public static String doctor(List<String> data, String... options) {
		Path log = directory().resolve("doctor-" + TestPorts.next() + ".log");
		List<String> arguments = new ArrayList<>(List.of("doctor"));
		arguments.addAll(List.of(options));
		try (ChildProcess doctor = ChildProcess.start(log, command(WITHOUT_BLOCKHOUND, QUICK_JVM, data, arguments))) {
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

	private static List<String> command(Predicate<String> classes, List<String> jvm, List<String> data,
			List<String> arguments) {
		List<String> all = new ArrayList<>(jvm);
		all.addAll(List.of("-XX:+UseSerialGC", "-Xmx192m", "-cp", classPath(classes), RetwisLive.class.getName()));
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

	/** Waits until the instance answers. Ends it if it does not. */
	public SiteProcess ready() {
		try {
			Awaitility.await("the start of " + this.log.toAbsolutePath())
				.atMost(START)
				.pollInterval(Duration.ofMillis(100))
				.failFast(() -> !this.process.isAlive())
				.ignoreExceptions()
				.until(() -> Visitor.at(this.origin).get("/").status() == 200);
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
		return this;
	}

	/** Scheme, host and port. */
	public String origin() {
		return this.origin;
	}

	/** Scheme, host and port of the management endpoints. */
	public String management() {
		return this.management;
	}

	/** A visitor of the management port. */
	public Visitor operator() {
		return Visitor.at(this.management);
	}

	public int port() {
		return URI.create(this.origin).getPort();
	}

	/** The complete lines of its output so far. */
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

	/** Asks it to end (SIGTERM), and returns at once. */
	public void terminate() {
		this.process.signal("TERM");
	}

	/**
	 * Asks it to end (SIGTERM), and waits until it has ended properly within the limit.
	 */
	public void terminate(Duration limit) {
		terminate();
		awaitEnd(limit);
	}

	/** Waits until it has ended because of SIGTERM. */
	public void awaitEnd(Duration limit) {
		int exit = this.process.end(limit);
		if (exit != TERMINATED) {
			throw new AssertionError("It ended with " + exit + " when asked to; see " + this.log);
		}
	}

	/** Kills it (SIGKILL), and waits until it has ended. */
	public void kill() {
		int exit = this.process.kill();
		if (exit != KILLED) {
			throw new AssertionError("It ended with " + exit + " before it was killed; see " + this.log);
		}
	}

	/** Suspends it (SIGSTOP). It does not notice that time passes. */
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
