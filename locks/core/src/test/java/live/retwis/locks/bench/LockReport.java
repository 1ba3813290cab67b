package live.retwis.locks.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * All results: medians over the rounds, and their bounds.
 */
final class LockReport {

	private final List<String> json = new ArrayList<>();

	private final List<String> repeated = new ArrayList<>();

	private final List<MeasuredClaim> claims = new ArrayList<>();

	private final StringBuilder figures = new StringBuilder("""
			| callers | | acquire p50 µs | p99 | release p50 µs | p99 | cycles/s | of the rounds | refused |
			| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |
			""");

	private final StringBuilder commands = new StringBuilder("""
			| | commands of all nodes for one acquire and release, those within scripts included |
			| --- | --- |
			""");

	/** Adds the rounds of a contestant under a load. */
	void add(String load, String contestant, List<LockFigures> rounds) {
		double[] cycles = rounds.stream().mapToDouble(LockFigures::cycles).sorted().toArray();
		this.figures.append(format("| %s | %s | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f | %,.0f to %,.0f | %.0f |%n",
				load, contestant, median(rounds, LockFigures::acquire50), median(rounds, LockFigures::acquire99),
				median(rounds, LockFigures::release50), median(rounds, LockFigures::release99),
				MeasuredClaim.median(cycles), cycles[0], cycles[cycles.length - 1],
				rounds.stream().mapToDouble(LockFigures::refused).sum()));
		rounds.forEach((round) -> this.json
			.add(format("{\"load\":\"%s\",\"contestant\":\"%s\",\"acquire50Micros\":%.1f,\"acquire99Micros\":%.1f,"
					+ "\"release50Micros\":%.1f,\"release99Micros\":%.1f,\"cyclesPerSecond\":%.1f,\"refused\":%.0f}",
					load, contestant, round.acquire50(), round.acquire99(), round.release50(), round.release99(),
					round.cycles(), round.refused())));
	}

	/** Adds rounds that were measured again because a lock failed. */
	void addRepeated(List<String> rounds) {
		this.repeated.addAll(rounds);
		rounds.forEach((round) -> this.json.add(format("{\"repeated\":\"%s\"}", round)));
	}

	void add(MeasuredClaim claim) {
		this.claims.add(claim);
		this.json.add(format(
				"{\"claim\":\"%s\",\"unit\":\"%s\",\"measured\":%.3f,\"lowest\":%.3f,\"highest\":%.3f,"
						+ "\"wanted\":%.3f,\"atMost\":%b,\"holds\":%b}",
				claim.what(), claim.unit(), claim.measured(), claim.lowest(), claim.highest(), claim.wanted(),
				claim.atMost(), claim.holds()));
	}

	/** Adds how often each command ran in this many cycles. */
	void addCommands(String contestant, Map<String, Long> counts, int cycles) {
		Map<String, Long> sorted = new TreeMap<>(counts);
		this.commands.append("| ")
			.append(contestant)
			.append(" | ")
			.append(sorted.entrySet()
				.stream()
				.map((entry) -> format("%s %.1f", entry.getKey(), entry.getValue() / (double) cycles))
				.collect(Collectors.joining(", ")))
			.append(" |\n");
		sorted.forEach((command, count) -> this.json
			.add(format("{\"contestant\":\"%s\",\"command\":\"%s\",\"callsPerCycle\":%.2f}", contestant, command,
					count / (double) cycles)));
	}

	/** Writes {@code locks.json} and {@code locks.md}. */
	void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("locks.json"),
				this.json.stream().collect(Collectors.joining(",\n", "[\n", "\n]\n")));
		Files.writeString(directory.resolve("locks.md"), toString());
	}

	@Override
	public String toString() {
		StringBuilder wanted = new StringBuilder("""
				| | measured | of the rounds | wanted | holds |
				| --- | ---: | --- | ---: | --- |
				""");
		this.claims.forEach((claim) -> wanted.append(format("| %s | %.2f %s | %.2f to %.2f | %s %.2f %s | %s |%n",
				claim.what(), claim.measured(), claim.unit(), claim.lowest(), claim.highest(),
				claim.atMost() ? "≤" : "≥", claim.wanted(), claim.unit(), claim.holds() ? "yes" : "**no**")));
		return wanted + "\n" + this.figures + "\n" + this.commands + "\nMeasured again, for a lock failed: "
				+ (this.repeated.isEmpty() ? "none" : String.join(", ", this.repeated)) + ".\n";
	}

	private static double median(List<LockFigures> rounds, ToDoubleFunction<LockFigures> figure) {
		return MeasuredClaim.median(rounds.stream().mapToDouble(figure).sorted().toArray());
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
