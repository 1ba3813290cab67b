package live.retwis.locks.lab.play;

import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.Ending;
import live.retwis.locks.lab.client.ClientKind;
import live.retwis.locks.lab.client.MutantMain;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.Mutant;
import live.retwis.locks.lab.node.Leftovers;
import live.retwis.locks.lab.node.NodeClock;
import live.retwis.locks.lab.play.About.Need;
import live.retwis.locks.lab.report.Judged;
import live.retwis.locks.lab.report.Markup;
import live.retwis.locks.lab.scenario.Scenarios;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each rule of this library is there for a reason: without it, one of the scenarios ends
 * otherwise than described.
 */
class MutantChaos {

	/** A machine that is busy at the wrong moment may hide a mutant in one round. */
	private static final int ROUNDS = 3;

	static Stream<Arguments> mutants() {
		return Stream.of(arguments(Mutant.NO_QUORUM, LabEngine.PARALLEL, "8b"),
				arguments(Mutant.NO_QUORUM, LabEngine.PARALLEL, "10"),
				arguments(Mutant.NO_DRIFT, LabEngine.REDISSON, "2c"),
				arguments(Mutant.NO_DRIFT, LabEngine.PARALLEL, "2c"),
				arguments(Mutant.PLAIN_DEL, LabEngine.REDISSON, "1b"),
				arguments(Mutant.NO_FENCE, LabEngine.REDISSON, "1"),
				arguments(Mutant.EARLY_RELEASE, LabEngine.REDISSON, "14"),
				arguments(Mutant.EARLY_RELEASE, LabEngine.PARALLEL, "14"),
				arguments(Mutant.BLIND_PEXPIRE, LabEngine.REDISSON, "13"),
				arguments(Mutant.BLIND_PEXPIRE, LabEngine.PARALLEL, "13"));
	}

	@ParameterizedTest
	@MethodSource("mutants")
	void isFoundByTheScenarioThatIsThereForIt(Mutant mutant, LabEngine engine, String number) {
		Scenario scenario = Scenarios.find(number).orElseThrow();
		Assumptions.assumeTrue(!scenario.about().needs().contains(Need.CLOCKS) || NodeClock.isPossible());
		try (Leftovers leftovers = Leftovers.open()) {
			Judged sound = play(scenario, ClientKind.of(engine), leftovers, 1).findFirst().orElseThrow();
			assertThat(sound.ending()).as(Markup.result(sound)).isEqualTo(Ending.AS_DESCRIBED);
			assertThat(play(scenario, MutantMain.kind(mutant, engine), leftovers, ROUNDS)
				.takeWhile((broken) -> broken.ending() != Ending.OTHERWISE)
				.map(Markup::result)).hasSizeLessThan(ROUNDS);
		}
	}

	/** Each round when it is asked for. */
	private static Stream<Judged> play(Scenario scenario, ClientKind kind, Leftovers leftovers, int rounds) {
		About about = scenario.about();
		return IntStream.rangeClosed(1, rounds).mapToObj((number) -> {
			try (Stage stage = Stage.open(about, kind, LabSettings.DEFAULT, leftovers)) {
				return Judged.of(Round.play(scenario, stage, 1, number, new RoundListener() {
				}), Objects.requireNonNull(about.expected().get(kind.engine())));
			}
		});
	}

}
