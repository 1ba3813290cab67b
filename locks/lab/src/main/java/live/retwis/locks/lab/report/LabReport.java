package live.retwis.locks.lab.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.play.LabSettings;

/**
 * Everything that a run showed.
 *
 * @param began when, in ISO 8601
 * @param settings of nodes and clients
 * @param rounds in the order in which they were played
 * @param skippedScenarios what was not played; empty in files of earlier releases
 * @param shortenings what a stored report lacks; empty in files of earlier releases
 * @param figures summaries of the whole rounds, when the report has only parts of them;
 * else empty
 */
public record LabReport(String began, LabSettings settings, List<JudgedRound> rounds,
		List<SkippedScenario> skippedScenarios, List<OmittedReportPart> shortenings, List<ScenarioSummary> figures) {

	/** Every round ended as described. */
	public static final int AS_DESCRIBED = 0;

	/** At least one round ended otherwise. */
	public static final int OTHERWISE = 1;

	/**
	 * A round did not bring about what its scenario describes, or it failed, or no round
	 * was played.
	 */
	public static final int NOT_SHOWN = 2;

	public LabReport {
		rounds = List.copyOf(rounds);
		skippedScenarios = (skippedScenarios != null) ? List.copyOf(skippedScenarios) : List.of();
		shortenings = (shortenings != null) ? List.copyOf(shortenings) : List.of();
		figures = (figures != null) ? List.copyOf(figures) : List.of();
	}

	/**
	 * The exit code of the command. A round that ended otherwise counts more than one
	 * that showed nothing.
	 */
	public int exitCode() {
		if (endings().anyMatch((ending) -> ending == RoundOutcome.OTHERWISE)) {
			return OTHERWISE;
		}
		boolean all = !this.rounds.isEmpty() && endings().allMatch((ending) -> ending == RoundOutcome.AS_DESCRIBED);
		return all ? AS_DESCRIBED : NOT_SHOWN;
	}

	private Stream<RoundOutcome> endings() {
		return this.rounds.stream().map(JudgedRound::ending);
	}

	/**
	 * One summary for each scenario and engine, in the order in which they were played.
	 */
	public List<ScenarioSummary> summaries() {
		return !this.figures.isEmpty() ? this.figures
				: this.rounds.stream()
					.collect(Collectors.groupingBy((round) -> round.record().scenario() + " " + round.record().engine(),
							java.util.LinkedHashMap::new, Collectors.toList()))
					.values()
					.stream()
					.map(ScenarioSummary::of)
					.toList();
	}

}
