package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.locks.nodes.testing.bench.FigureFile;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the tests of a benchmark measure. After the last test it is written to
 * {@code target/bench}, printed, and shown by {@link ReportPage}.
 */
public final class BenchReport implements AfterAllCallback {

	private static final Logger log = LoggerFactory.getLogger(BenchReport.class);

	private static final Path DIRECTORY = Path.of("target", "bench");

	private final String name;

	private final String title;

	private final String command;

	private final List<Figure> figures = new ArrayList<>();

	/**
	 * Creates an empty report.
	 * @param name name of its files, without their endings
	 * @param title what the benchmark is about
	 * @param benchmark name of the class that measures
	 */
	public BenchReport(String name, String title, String benchmark) {
		this.name = name;
		this.title = title;
		this.command = "mvn -Pbench verify -Dit.test=" + benchmark + " -Dfailsafe.failIfNoSpecifiedTests=false";
	}

	/** The directory for everything that benchmarks write. */
	static Path directory() throws IOException {
		return Files.createDirectories(DIRECTORY);
	}

	/** Adds a figure. */
	public void add(Figure figure) {
		this.figures.add(figure);
	}

	/** Adds a figure that was measured once and has no aim. */
	void add(String figure, String unit, double value) {
		add(Figure.once(figure, unit, value));
	}

	/** Adds a drawing, {@code <name>.svg}. */
	void draw(String svg) throws IOException {
		Files.writeString(directory().resolve(this.name + ".svg"), svg);
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		if (!this.figures.isEmpty()) {
			FigureFile file = FigureFile.today(this.name, this.title, this.command, this.figures);
			file.write(directory());
			log.info("{}", file);
			ReportPage.write(directory());
		}
	}

}
