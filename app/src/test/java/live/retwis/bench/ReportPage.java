package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.samskivert.mustache.Mustache;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.locks.nodes.testing.bench.FigureFile;
import org.jspecify.annotations.Nullable;

/**
 * {@code report.html}: all figures of the benchmarks that have run, those of the locks
 * included, beside the figures that were committed last. It needs no other file.
 */
final class ReportPage {

	private static final Path TEMPLATE = Path.of("src", "test", "resources", "bench-report.html");

	private static final Path OF_LOCKS = Path.of("..", "locks", "core", "target", "bench");

	private static final Path COMMITTED = Path.of("src", "docs", "figures");

	private ReportPage() {
	}

	/** Writes the page into the directory that has the figures of this module. */
	static void write(Path directory) throws IOException {
		List<FigureFile> measured = new ArrayList<>(FigureFile.in(directory));
		measured.addAll(FigureFile.in(OF_LOCKS));
		Files.writeString(directory.resolve("report.html"), html(measured, FigureFile.in(COMMITTED), directory));
	}

	/**
	 * Renders the page.
	 * @param plots directory with the drawings
	 */
	static String html(List<FigureFile> measured, List<FigureFile> committed, Path plots) throws IOException {
		Map<String, FigureFile> before = committed.stream()
			.collect(Collectors.toMap(FigureFile::name, Function.identity()));
		List<Section> sections = new ArrayList<>();
		for (FigureFile file : measured) {
			sections.add(section(file, before.get(file.name()), plots.resolve(file.name() + ".svg")));
		}
		return Mustache.compiler().compile(Files.readString(TEMPLATE)).execute(Map.of("sections", sections));
	}

	private static Section section(FigureFile file, @Nullable FigureFile before, Path plot) throws IOException {
		Map<List<String>, Figure> last = (before == null) ? Map.of()
				: before.figures().stream().collect(Collectors.toMap(ReportPage::key, Function.identity()));
		return new Section(file, (before != null) ? before.date() : null,
				file.figures().stream().map((figure) -> Row.of(figure, last.get(key(figure)))).toList(),
				Files.exists(plot)
						? "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(Files.readAllBytes(plot))
						: null);
	}

	/** A figure and its ratio to another one may have the same name. */
	private static List<String> key(Figure figure) {
		return List.of(figure.name(), figure.unit());
	}

	/**
	 * A benchmark.
	 *
	 * @param file what it measured
	 * @param committed the day of the committed figures; null when there are none
	 * @param rows its figures
	 * @param plot address of its drawing; null when it has none
	 */
	private record Section(FigureFile file, @Nullable String committed, List<Row> rows, @Nullable String plot) {
	}

	/**
	 * A figure.
	 *
	 * @param name what was measured
	 * @param value the median, or the worst round
	 * @param spread lowest and highest round; empty when there is one round
	 * @param aim the bound; empty when there is none
	 * @param missed whether the aim is not reached
	 * @param before the committed value; empty when there is none
	 * @param strip drawing of the rounds
	 */
	private record Row(String name, String value, String spread, String aim, boolean missed, String before,
			String strip) {

		static Row of(Figure figure, @Nullable Figure before) {
			return new Row(figure.name(), figure.text(figure.value()),
					(figure.rounds().size() == 1) ? ""
							: figure.text(figure.lowest()) + " to " + figure.text(figure.highest()),
					(figure.aim() != null) ? figure.aim().toString() : "", !figure.isReached(),
					(before != null) ? before.text(before.value()) : "", RoundsStrip.svg(figure, before));
		}

	}

}
