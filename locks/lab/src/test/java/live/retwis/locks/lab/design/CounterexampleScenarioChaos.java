package live.retwis.locks.lab.design;

import java.util.stream.IntStream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.node.TestClocks;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.RoundResultFormatter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the search finds happens on real nodes, for each mistake. Under the same faults it
 * does not happen to this project's lock.
 */
class CounterexampleScenarioChaos {

	/** On a busy machine a schedule may not be played as it is written. */
	private static final int TRIES = 3;

	@ParameterizedTest
	@EnumSource
	void aMistakeShowsOnRealNodesAndASoundDesignIsSafeUnderTheSameFaults(Mistake mistake) {
		Counterexample found = CounterexampleScenarioTests.search(mistake.design());
		if (CounterexampleScenario.needsClocks(found)) {
			TestClocks.assumePossible();
		}
		assertThat(IntStream.range(0, TRIES)
			.mapToObj((i) -> CounterexampleScenarioTests.play(mistake.design(), found))
			.peek((round) -> assertThat(round.record().error()).isEmpty())
			.takeWhile((round) -> round.ending() != RoundOutcome.AS_DESCRIBED)
			.map(RoundResultFormatter::result)).hasSizeLessThan(TRIES);
		JudgedRound sound = CounterexampleScenarioTests.play(RedlockDesign.retwis(mistake.design().nodes()), found);
		assertThat(sound.record().error()).isEmpty();
		RoundVerdict verdict = sound.verdict();
		assertThat(verdict.lease()).as(RoundResultFormatter.result(sound)).isEqualTo(Safety.SAFE);
		assertThat(verdict.effect()).as(RoundResultFormatter.result(sound)).isEqualTo(Safety.SAFE);
	}

}
