package live.retwis.locks.lab;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ReportText;
import live.retwis.locks.lab.scenario.Scenarios;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two rounds of every scenario, with every engine that the scenario describes.
 */
class LabChaos {

	private static final int ROUNDS = 2;

	@TestFactory
	Stream<DynamicTest> everyScenarioEndsAsDescribed() {
		return Scenarios.ALL.stream()
			.flatMap(
					(scenario) -> Stream.of(LabEngine.compared())
						.filter((engine) -> scenario.about().expected().containsKey(engine))
						.map((engine) -> DynamicTest.dynamicTest(
								scenario.about().number() + " " + scenario.about().name() + ", " + engine.label(),
								() -> {
									LabReport report = new LabRun(new LabListener() {
									}).play(new RunRequest(List.of(scenario), List.of(engine), LabSettings.DEFAULT, 1,
											ROUNDS));
									assertThat(report.rounds())
										.allSatisfy((round) -> assertThat(round.ending()).as(ReportText.result(round))
											.isEqualTo(RoundOutcome.AS_DESCRIBED));
									assertThat(report.rounds().stream().map(JudgedRound::ending))
										.hasSize(report.skippedScenarios().isEmpty() ? ROUNDS : 0);
								})));
	}

}
