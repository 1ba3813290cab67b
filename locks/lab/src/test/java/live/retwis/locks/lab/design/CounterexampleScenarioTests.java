package live.retwis.locks.lab.design;

import java.util.List;

import live.retwis.locks.lab.LabListener;
import live.retwis.locks.lab.LabRun;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.locks.lab.steps.AcquisitionReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A schedule that the search has found is played on real nodes. {@code
 * CounterexampleScenarioChaos} plays one for each mistake.
 */
@Timeout(120)
class CounterexampleScenarioTests {

	static Counterexample search(RedlockDesign design) {
		return new CounterexampleSearch(design, 3_000, () -> false).run(0).orElseThrow();
	}

	static JudgedRound play(RedlockDesign design, Counterexample found) {
		CounterexampleScenario scenario = new CounterexampleScenario(design, found);
		LabReport report = new LabRun(new LabListener() {
		}).play(new RunRequest(List.of(scenario), List.of(LabEngine.DESIGN), scenario.settings(), found.seed(), 1));
		assertThat(report.skippedScenarios()).isEmpty();
		return report.rounds().get(0);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aWriteThatIsLostInTheSearchIsLostOnRealNodesAndTheFenceOfThisProjectRefusesIt() {
		Counterexample found = search(Mistake.NO_FENCE.design());
		assertThat(CounterexampleScenario.needsClocks(found)).isFalse();
		JudgedRound real = play(Mistake.NO_FENCE.design(), found);
		assertThat(real.record().error()).isEmpty();
		assertThat(VerdictSentences.ENGLISH.of(real)).endsWith(
				"A write was lost that had been acknowledged. So what the search found really happens on real nodes.");
		assertThat(real.ending()).isEqualTo(RoundOutcome.AS_DESCRIBED);
		assertThat(real.verdict().effect()).isEqualTo(Safety.UNSAFE);
		assertThat(AcquisitionReader.of(real.record())).isNotEmpty()
			.allSatisfy((one) -> assertThat(one.needed()).isEqualTo(2));
		assertThat(real.record().events()).as("what the servers themselves hold")
			.anyMatch((event) -> event.kind() == Kind.NODES
					&& event.details().values().stream().anyMatch((held) -> held.matches("[ABC]\\d+ for \\d+ ms")));
		JudgedRound sound = play(RedlockDesign.retwis(3), found);
		assertThat(sound.verdict().lease()).isEqualTo(Safety.SAFE);
		assertThat(sound.verdict().effect()).isEqualTo(Safety.SAFE);
		assertThat(VerdictSentences.ENGLISH.of(sound)).contains("did not happen on real nodes this time");
	}

}
