package live.retwis.locks.lab.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * The rounds of one scenario with one engine.
 *
 * @param scenario its number
 * @param engine its name
 * @param rounds how many rounds
 * @param endings how many rounds ended in each way
 * @param verdicts how many rounds had each verdict
 * @param p50 milliseconds that the faster half of the granted acquisitions took at most
 * @param p95 the same for 95 in 100
 * @param p99 the same for 99 in 100
 * @param availability the part of the acquisitions that were granted
 */
public record ScenarioSummary(String scenario, String engine, int rounds, Map<RoundOutcome, Long> endings,
		Map<String, Long> verdicts, double p50, double p95, double p99, double availability) {

	static ScenarioSummary of(List<JudgedRound> rounds) {
		RoundRecord first = rounds.get(0).record();
		List<Double> times = rounds.stream().flatMap((round) -> times(round.record())).sorted().toList();
		long asked = rounds.stream()
			.flatMap((round) -> round.record().events().stream())
			.filter((event) -> event.is(Kind.INVOKE, "acquire"))
			.count();
		return new ScenarioSummary(first.scenario(), first.engine(), rounds.size(),
				rounds.stream()
					.collect(Collectors.groupingBy(JudgedRound::ending, TreeMap::new, Collectors.counting())),
				rounds.stream()
					.collect(Collectors.groupingBy((round) -> round.verdict().toString(), TreeMap::new,
							Collectors.counting())),
				part(times, 0.50), part(times, 0.95), part(times, 0.99),
				(asked == 0) ? 0 : (double) times.size() / asked);
	}

	private static Stream<Double> times(RoundRecord round) {
		Map<Long, Long> begun = round.events()
			.stream()
			.filter((event) -> event.is(Kind.INVOKE, "acquire"))
			.collect(Collectors.toMap(HistoryEvent::operation, HistoryEvent::at));
		return round.events()
			.stream()
			.filter((event) -> event.ended("acquire", "acquired"))
			.map((event) -> (event.at() - begun.getOrDefault(event.operation(), event.at())) / 1e6);
	}

	private static double part(List<Double> sorted, double part) {
		return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
	}

}
