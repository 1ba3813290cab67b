package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import tools.jackson.databind.json.JsonMapper;

/**
 * The medians of all rounds, compared with the bare server and with the required rates.
 */
final class BenchReport {

	private static final double MOST_P99 = 4;

	private final List<Round> bare;

	private final Map<String, Object> rows = new LinkedHashMap<>();

	private final StringBuilder table = new StringBuilder("""
			| | requests/s | of bare | wanted | p99 ms | of bare | wanted | CPU µs a request | holds |
			| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
			""");

	/**
	 * A report that compares with one server or page.
	 * @param name its name
	 * @param bare its rounds
	 */
	BenchReport(String name, List<Round> bare) {
		this.bare = bare;
		double rate = median(bare, Round::rate);
		double p99 = median(bare, Round::p99);
		this.table.append(String.format(Locale.ROOT, "| %s | %,.0f | | | %.1f | | | %.0f | |%n", name, rate, p99,
				median(bare, Round::cpuMicros)));
		this.rows.put(name, Map.of("rate", rate, "p99", p99, "rounds", bare));
	}

	/**
	 * Adds a page.
	 * @param least the required rate, as a part of the bare server's rate
	 */
	void add(String name, List<Round> page, double least) {
		double rate = median(page, Round::rate);
		double p99 = median(page, Round::p99);
		double rateOfBare = rate / median(this.bare, Round::rate);
		double p99OfBare = p99 / median(this.bare, Round::p99);
		boolean holds = rateOfBare >= least && p99OfBare <= MOST_P99;
		this.table.append(String.format(Locale.ROOT,
				"| %s | %,.0f | %.2f | ≥ %.1f | %.1f | %.1f | ≤ %.0f | %.0f | %s |%n", name, rate, rateOfBare, least,
				p99, p99OfBare, MOST_P99, median(page, Round::cpuMicros), holds ? "yes" : "**no**"));
		Map<String, Object> row = new LinkedHashMap<>();
		row.put("rate", rate);
		row.put("p99", p99);
		row.put("rateOfBare", rateOfBare);
		row.put("leastRateOfBare", least);
		row.put("p99OfBare", p99OfBare);
		row.put("mostP99OfBare", MOST_P99);
		row.put("holds", holds);
		row.put("rounds", page);
		this.rows.put(name, row);
	}

	/** Writes {@code <name>.json} and {@code <name>.md}. */
	void write(Path directory, String name) throws IOException {
		Files.writeString(directory.resolve(name + ".json"),
				JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(this.rows));
		Files.writeString(directory.resolve(name + ".md"), this.table);
	}

	@Override
	public String toString() {
		return this.table.toString();
	}

	private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
		double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	/**
	 * The figures of one round.
	 *
	 * @param rate requests per second
	 * @param p99 milliseconds
	 * @param cpuMicros processor time of server and Redis for one request, in µs; if the
	 * machine does other work, it varies less than the rate
	 */
	record Round(double rate, double p99, double cpuMicros) {
	}

}
