package live.retwis.locks.lab;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.RoundResultFormatter;
import live.retwis.locks.lab.scenario.Scenarios;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two rounds of every scenario, with every engine that the scenario describes.
 */
class LabChaos {

	private static final int ROUNDS = 2;

	private static final int MOST_MISSED = 4;

	@TestFactory
	Stream<DynamicTest> everyScenarioEndsAsDescribed() {
		return Scenarios.ALL.stream()
			.flatMap((scenario) -> Stream.of(LabEngine.compared())
				.filter((engine) -> scenario.about().expected().containsKey(engine))
				.map((engine) -> DynamicTest.dynamicTest(
						scenario.about().number() + " " + scenario.about().name() + ", " + engine.label(),
						() -> endsAsDescribed(scenario, engine))));
	}

	/**
	 * Plays rounds until the situation has come about in two. A machine that has no time
	 * left may miss it, and such a round shows nothing.
	 */
	private static void endsAsDescribed(Scenario scenario, LabEngine engine) {
		int shown = 0;
		for (int seed = 1; shown < ROUNDS; seed++) {
			LabReport report = new LabRun(new LabListener() {
			}).play(new RunRequest(List.of(scenario), List.of(engine), LabSettings.DEFAULT, seed, 1));
			if (!report.skippedScenarios().isEmpty()) {
				assertThat(report.rounds()).isEmpty();
				return;
			}
			JudgedRound round = report.rounds().get(0);
			assertThat(round.ending()).as(RoundResultFormatter.result(round))
				.isIn(RoundOutcome.AS_DESCRIBED, RoundOutcome.NOT_REPRODUCED);
			shown += (round.ending() == RoundOutcome.AS_DESCRIBED) ? 1 : 0;
			assertThat(seed - shown).as(RoundResultFormatter.result(round)).isLessThan(MOST_MISSED);
		}
	}

}
