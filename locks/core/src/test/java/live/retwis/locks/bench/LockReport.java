package live.retwis.locks.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.locks.nodes.testing.bench.FigureFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All results: first the figures that have an aim, then the others.
 */
final class LockReport {

	private static final Logger log = LoggerFactory.getLogger(LockReport.class);

	private final List<Figure> aimed = new ArrayList<>();

	private final List<Figure> others = new ArrayList<>();

	private final List<String> repeated = new ArrayList<>();

	/** Adds the rounds of a contestant under a load. */
	void add(String load, String contestant, List<LockFigures> rounds) {
		String who = contestant + ", callers: " + load + ": ";
		add(who + "acquire p50", "µs", rounds, LockFigures::acquire50);
		add(who + "acquire p99", "µs", rounds, LockFigures::acquire99);
		add(who + "release p50", "µs", rounds, LockFigures::release50);
		add(who + "release p99", "µs", rounds, LockFigures::release99);
		add(who + "acquired and released", "/s", rounds, LockFigures::cycles);
		add(who + "refused", "", rounds, LockFigures::refused);
	}

	private void add(String name, String unit, List<LockFigures> rounds, ToDoubleFunction<LockFigures> figure) {
		this.others.add(Figure.of(name, unit, rounds.stream().mapToDouble(figure).boxed().toList()));
	}

	/** Adds rounds that were measured again because a lock failed. */
	void addRepeated(List<String> rounds) {
		this.repeated.addAll(rounds);
	}

	void add(Figure figure) {
		this.aimed.add(figure);
	}

	/** Adds how often each command ran in this many cycles. */
	void addCommands(String contestant, Map<String, Long> counts, int cycles) {
		new TreeMap<>(counts).forEach((command, count) -> this.others.add(Figure
			.once(contestant + ": " + command + " on all nodes, to acquire and release", "", count / (double) cycles)));
	}

	/** Writes {@code locks.tsv}, and logs it. */
	void write(Path directory) throws IOException {
		List<Figure> all = new ArrayList<>(this.aimed);
		all.addAll(this.others);
		all.add(Figure.once("rounds measured again, because a lock failed", "", this.repeated.size()));
		FigureFile file = FigureFile.today("locks", "Locks", "mvn -Pbench -pl locks/core -am verify", all);
		file.write(directory);
		log.info("{}\nMeasured again: {}", file, this.repeated);
	}

}
