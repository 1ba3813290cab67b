package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import live.retwis.bench.StreamLoad.Figures;
import live.retwis.bench.StreamLoad.Plan;
import live.retwis.testing.ChildProcess;
import org.awaitility.Awaitility;

/**
 * Runs {@link StreamLoad} in its own process on one core. It handles one plan after the
 * other, because a new JVM would still be compiling during the measurement.
 */
final class LoadProcess implements AutoCloseable {

	private static final int CORE = 1;

	private static final Duration LONGEST = Duration.ofSeconds(180);

	private final Path directory;

	private final ChildProcess process;

	private int number;

	LoadProcess(Path directory) throws IOException {
		this.directory = Files.createTempDirectory(directory, "load-");
		this.process = PinnedProcess.start(CORE, this.directory.resolve("log"),
				ChildProcess.java(List.of("-XX:+UseSerialGC", "-Xms512m", "-cp", System.getProperty("java.class.path"),
						StreamLoad.class.getName(), this.directory.toString())));
	}

	/**
	 * Runs the plan and returns its figures.
	 * @throws IllegalStateException when the server refused a request
	 */
	Figures run(Plan plan) throws IOException {
		begin(plan);
		Path figures = StreamLoad.figures(this.directory, this.number);
		Awaitility.await("figures; see the log in " + this.directory.toAbsolutePath())
			.atMost(LONGEST)
			.pollInterval(Duration.ofMillis(100))
			.until(() -> Files.exists(figures));
		Figures result = Figures.parse(Files.readString(figures));
		if (result.refused() > 0) {
			throw new IllegalStateException("The server refused requests: " + result.line());
		}
		return result;
	}

	/** Begins the plan and returns at once. Closing this object ends it. */
	void begin(Plan plan) throws IOException {
		this.number++;
		Path draft = this.directory.resolve("draft");
		plan.write(draft);
		Files.move(draft, StreamLoad.plan(this.directory, this.number));
	}

	@Override
	public void close() {
		this.process.close();
	}

}
