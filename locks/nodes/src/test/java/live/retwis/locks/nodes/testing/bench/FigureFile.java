package live.retwis.locks.nodes.testing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one benchmark measured: {@code <name>.tsv}, a file of text that people and
 * programs read. Its first lines say what it is, when and on what it was measured, and by
 * which command. Then each line has a {@link Figure}: name, unit, rounds, aim.
 *
 * @param name name of the file, without its ending
 * @param title what the benchmark is about
 * @param date the day, such as 2026-11-25
 * @param machine processor, memory and versions
 * @param command the command that measures this
 * @param figures what was measured
 */
public record FigureFile(String name, String title, String date, String machine, String command, List<Figure> figures) {

	private static final String ENDING = ".tsv";

	private static final String COMMENT = "# ";

	/** Lines before the figures. */
	private static final int HEAD = 4;

	/**
	 * What was measured today on this machine.
	 * @param command the command without options {@code -Dbench.…}; those that are set
	 * are added
	 */
	public static FigureFile today(String name, String title, String command, List<Figure> figures) {
		return new FigureFile(name, title, LocalDate.now().toString(), Machine.describe(), command + options(),
				figures);
	}

	private static String options() {
		return System.getProperties()
			.stringPropertyNames()
			.stream()
			.filter((option) -> option.startsWith("bench."))
			.sorted()
			.map((option) -> "-D" + option + "=" + System.getProperty(option))
			.map((option) -> option.contains(" ") ? " '" + option + "'" : " " + option)
			.collect(Collectors.joining());
	}

	/** Writes the file. If it is there, it is written anew. */
	public void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		List<String> lines = new ArrayList<>();
		Stream.of(this.title, this.date, this.machine, this.command).map(COMMENT::concat).forEach(lines::add);
		this.figures.stream().map(Figure::line).forEach(lines::add);
		Files.write(directory.resolve(this.name + ENDING), lines);
	}

	/** Reads all files of a directory, by name; none when there is no directory. */
	public static List<FigureFile> in(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			return List.of();
		}
		List<FigureFile> files = new ArrayList<>();
		try (Stream<Path> paths = Files.list(directory)) {
			for (Path path : paths.filter((one) -> one.toString().endsWith(ENDING)).sorted().toList()) {
				files.add(read(path));
			}
		}
		return files;
	}

	private static FigureFile read(Path path) throws IOException {
		List<String> lines = Files.readAllLines(path);
		List<String> head = lines.stream().limit(HEAD).map((line) -> line.substring(COMMENT.length())).toList();
		String name = path.getFileName().toString();
		return new FigureFile(name.substring(0, name.length() - ENDING.length()), head.get(0), head.get(1), head.get(2),
				head.get(3), lines.stream().skip(HEAD).map(Figure::parse).toList());
	}

	/** A table in Markdown. */
	@Override
	public String toString() {
		StringBuilder table = new StringBuilder("\n| " + this.title + ", " + this.date
				+ " | measured | of the rounds | aim | |\n| --- | ---: | --- | --- | --- |\n");
		for (Figure figure : this.figures) {
			boolean once = figure.rounds().size() == 1;
			table.append("| ")
				.append(String.join(" | ", figure.name(), figure.text(figure.value()),
						once ? "" : figure.text(figure.lowest()) + " to " + figure.text(figure.highest()),
						(figure.aim() == null) ? "" : figure.aim().toString(),
						(figure.aim() == null) ? "" : figure.isReached() ? "reached" : "**not reached**"))
				.append(" |\n");
		}
		return table.toString();
	}

}
