package live.retwis.locks.lab;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import live.retwis.locks.lab.check.Liveness;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.RoundResultFormatter;
import live.retwis.locks.lab.scenario.Scenarios;
import live.retwis.locks.lab.steps.AcquisitionReader;
import live.retwis.locks.lab.steps.AcquisitionTrace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The quick scenarios, and the command.
 */
@Timeout(60)
class LabRunTests {

	private static final int MOST_ROUNDS = 5;

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private static JudgedRound play(String scenario, LabEngine engine) {
		return play(scenario, engine, LabSettings.DEFAULT);
	}

	/**
	 * Plays a scenario until its situation comes about. A machine that has no time left
	 * may miss it, and such a round shows nothing.
	 */
	private static JudgedRound play(String scenario, LabEngine engine, LabSettings settings) {
		for (int seed = 1;; seed++) {
			JudgedRound round = new LabRun(new LabListener() {
			}).play(new RunRequest(Scenarios.find(scenario).stream().toList(), List.of(engine), settings, seed, 1))
				.rounds()
				.get(0);
			if (round.ending() != RoundOutcome.NOT_REPRODUCED) {
				return round;
			}
			assertThat(seed).as(RoundResultFormatter.result(round)).isLessThan(MOST_ROUNDS);
		}
	}

	private int run(String... args) {
		return new LabCommand(new PrintWriter(this.out), new PrintWriter(this.err)).run(List.of(args));
	}

	@Test
	@Tag("slow")
	void redissonsRedLockHasTwoOwnersWhenAnAnswerIsHeldBeyondTheLease() {
		JudgedRound round = play("8a", LabEngine.RAW);
		assertThat(round.verdict().lease()).isEqualTo(Safety.UNSAFE);
		assertThat(round.ending()).isEqualTo(RoundOutcome.AS_DESCRIBED);
	}

	@Test
	void ourRedLockHasOneOwnerWhenAnAnswerIsHeldBeyondTheLease() {
		JudgedRound round = play("8a", LabEngine.REDISSON);
		assertThat(round.verdict().lease()).isEqualTo(Safety.SAFE);
		assertThat(round.verdict().progress()).isEqualTo(Liveness.ACQUIRED);
		assertThat(round.ending()).isEqualTo(RoundOutcome.AS_DESCRIBED);
	}

	@ParameterizedTest
	@EnumSource(names = { "REDISSON", "PARALLEL", "RAW" })
	void aHolderWhoseKeysArriveLateOverwritesAnIncrementUnlessWritesAreFenced(LabEngine engine) {
		JudgedRound round = play("late-keys", engine);
		assertThat(round.verdict().effect()).isEqualTo(engine.isOurs() ? Safety.SAFE : Safety.UNSAFE);
		assertThat(round.ending()).isEqualTo(RoundOutcome.AS_DESCRIBED);
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@CsvSource({ "1b, SETNX_DEL, UNSAFE, UNSAFE", "1b, SETNX_WATCH, SAFE, SAFE", "1, SETNX_WATCH, SAFE, UNSAFE",
			"1b, SETNX_LUA, SAFE, SAFE", "3, SETNX_LUA, UNSAFE, UNSAFE" })
	void eachLockOfTheTutorialsIsBrokenByTheNextScenario(String scenario, LabEngine engine, Safety lease,
			Safety effect) {
		JudgedRound round = play(scenario, engine);
		assertThat(round.ending()).as(RoundResultFormatter.result(round)).isEqualTo(RoundOutcome.AS_DESCRIBED);
		assertThat(round.verdict().lease()).isEqualTo(lease);
		assertThat(round.verdict().effect()).isEqualTo(effect);
	}

	/** The node answers QUEUED to DEL, and tells what became of it with EXEC. */
	@Test
	@Tag("slow")
	void aKeyThatIsDeletedInATransactionIsSeenToBeGivenBack() {
		assertThat(AcquisitionReader.of(play("1b", LabEngine.SETNX_WATCH).record()))
			.flatExtracting(AcquisitionTrace::released)
			.filteredOn((node) -> node.says().equals("yes"))
			.isNotEmpty()
			.allSatisfy((node) -> assertThat(node.questions().get(0).command()).startsWith("{multi, exec} DEL")
				.endsWith("→ 1"));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void withoutAFenceALateWriteIsAcceptedAndWithARisingNumberItIsNot() {
		for (FencingMode fencing : List.of(FencingMode.NONE, FencingMode.NUMBER)) {
			assertThat(playFenced("1", fencing).verdict().effect()).as(fencing.label())
				.isEqualTo((fencing == FencingMode.NONE) ? Safety.UNSAFE : Safety.SAFE);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aRisingNumberAcceptsALateWriteThatComesBeforeTheNextOwnersAndOwnershipRefusesIt() {
		for (FencingMode fencing : List.of(FencingMode.ENGINE, FencingMode.NUMBER)) {
			assertThat(playFenced("1c", fencing).verdict().effect()).as(fencing.label())
				.isEqualTo((fencing == FencingMode.NUMBER) ? Safety.UNSAFE : Safety.SAFE);
		}
	}

	private static JudgedRound playFenced(String scenario, FencingMode fencing) {
		return play(scenario, LabEngine.REDISSON, LabSettings.DEFAULT.with(fencing));
	}

	@Test
	void ourRedLockLosesNoIncrementUnderContention() {
		JudgedRound round = play("contention", LabEngine.REDISSON);
		assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE);
		assertThat(round.ending()).isEqualTo(RoundOutcome.AS_DESCRIBED);
	}

	@Test
	void theWrittenReportsGiveTheSameVerdict(@TempDir Path directory) throws Exception {
		Path json = directory.resolve("lab.json");
		Path html = directory.resolve("lab.html");
		Path junit = directory.resolve("lab.xml");
		assertThat(run("run", "held-reply", "--engine=rlock", "--report=" + json, "--html=" + html, "--junit=" + junit))
			.isZero();
		LabReport report = HistoryJson.read(Files.readString(json), LabReport.class);
		assertThat(report.rounds()).singleElement()
			.satisfies((round) -> assertThat(JudgedRound.of(round.record(), round.expected())).isEqualTo(round));
		assertThat(Files.readString(html)).contains("A and B both had the lock", "function drawLanes(",
				"\"violations\":[{");
		assertThat(Files.readString(junit)).contains("<testsuite name=\"redlock-lab\" tests=\"1\" failures=\"0\"");
		assertThat(this.out.toString()).contains("8a held-reply, rlock, round 1", "as described: lease UNSAFE");
	}

	@Test
	void showsTheDescriptionAndTheSourcesOfAScenario() {
		assertThat(run("show", "8a")).isZero();
		assertThat(this.out.toString()).contains("8a held-reply",
				"lease UNSAFE: two owners relied on the lock at once.",
				"raw       lease UNSAFE, effect UNSAFE, ACQUIRED",
				"To read: Martin Kleppmann: How to do distributed locking (2016), https://martin.kleppmann.com/");
	}

	@Test
	void explainsWrongArguments() {
		for (String wrong : List.of("run", "run 99", "run all --engine=zoo", "run 8a --rounds=0", "run 8a --seed=x",
				"run 8a --html", "run 8a --colour=red", "dance", "run 8a --report=/no/such/place.json")) {
			assertThat(run(wrong.split(" "))).as(wrong).isEqualTo(CommandLine.ExitCode.USAGE);
		}
		assertThat(this.err.toString()).contains("There is no scenario '99'. There are 0, 1, 1b",
				"There is no engine 'zoo'. There are redisson, parallel, raw, rlock, rfenced",
				"--rounds is 1 to 1000, not 0", "Invalid value for option '--seed': 'x' is not a long",
				"Missing required parameter for option '--html'", "Unknown option: '--colour=red'",
				"Unmatched argument at index 0: 'dance'", "cannot be written");
	}

}
