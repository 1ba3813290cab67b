package live.retwis.locks.lab.play;

import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.client.ClientLockConfig;
import live.retwis.locks.lab.client.MutantMain;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.Mutant;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.lab.node.TestClocks;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.RoundResultFormatter;
import live.retwis.locks.lab.scenario.Scenarios;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Every rule of this library is necessary. Without it, one of the scenarios does not end
 * as described.
 */
class MutantChaos {

	/** On a busy machine a single round may not find a mutant. */
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
	void itsScenarioFindsTheMutant(Mutant mutant, LabEngine engine, String number) {
		Scenario scenario = Scenarios.find(number).orElseThrow();
		if (scenario.about().needs().contains(Need.CLOCKS)) {
			TestClocks.assumePossible();
		}
		try (ProcessRegistry processRegistry = ProcessRegistry.open()) {
			JudgedRound sound = play(scenario, ClientLockConfig.of(engine), processRegistry, 1).findFirst()
				.orElseThrow();
			assertThat(sound.ending()).as(RoundResultFormatter.result(sound)).isEqualTo(RoundOutcome.AS_DESCRIBED);
			assertThat(play(scenario, MutantMain.kind(mutant, engine), processRegistry, ROUNDS)
				.takeWhile((broken) -> broken.ending() != RoundOutcome.OTHERWISE)
				.map(RoundResultFormatter::result)).hasSizeLessThan(ROUNDS);
		}
	}

	/** Plays each round only when it is asked for. */
	private static Stream<JudgedRound> play(Scenario scenario, ClientLockConfig kind, ProcessRegistry processRegistry,
			int rounds) {
		ScenarioDescription scenarioDescription = scenario.about();
		return IntStream.rangeClosed(1, rounds).mapToObj((number) -> {
			try (Testbed testbed = Testbed.open(scenarioDescription, kind, LabSettings.DEFAULT, processRegistry)) {
				return JudgedRound.of(RoundContext.play(scenario, testbed, 1, number, new RoundListener() {
				}), Objects.requireNonNull(scenarioDescription.expected().get(kind.engine())));
			}
		});
	}

}
