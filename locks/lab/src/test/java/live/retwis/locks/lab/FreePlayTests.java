package live.retwis.locks.lab;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.engine.Fence;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.ManualAction;
import live.retwis.locks.lab.report.LabReport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Free play: clients compete for the lock while somebody breaks nodes. Also runs that are
 * stopped.
 */
@Timeout(60)
class FreePlayTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final FreePlay play = new FreePlay(Duration.ofSeconds(2));

	private final Queue<HistoryEvent> events = new ConcurrentLinkedQueue<>();

	private final LabRun run = new LabRun(new LabListener() {

		@Override
		public void happened(HistoryEvent event) {
			FreePlayTests.this.events.add(event);
		}

	});

	private CompletableFuture<LabReport> report = new CompletableFuture<>();

	private void start(LabSettings settings) {
		RunRequest order = new RunRequest(List.of(this.play), List.of(LabEngine.REDISSON), settings, 1, 1);
		this.report = CompletableFuture.supplyAsync(() -> this.run.play(order));
		await((event) -> event.is(Kind.RETURN, "acquire") && event.detail("outcome").equals("acquired"));
	}

	private void await(Predicate<HistoryEvent> what) {
		Awaitility.await().atMost(BOUND).until(() -> this.events.stream().anyMatch(what));
	}

	private static Predicate<HistoryEvent> seen(String node, String what) {
		return (event) -> event.kind() == Kind.NODES && event.detail(node).startsWith(what);
	}

	@AfterEach
	void stop() {
		this.run.stop();
	}

	@ParameterizedTest
	@CsvSource({ "pause, paused, resume", "kill, gone, restart", "kill-and-forget, gone, restart" })
	void aNodeIsStruckByHandAndBroughtBackWhileTheOthersGoOn(String strike, String state, String undo)
			throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(ManualAction.parse(strike, 3, false));
		await(seen("node 3 state", state));
		this.events.clear();
		await((event) -> event.is(Kind.RETURN, "acquire") && event.detail("outcome").equals("acquired"));
		this.play.act(ManualAction.parse(undo, 3, false));
		await(seen("node 3 state", "up"));
		this.play.stop();
		LabReport told = this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS);
		assertThat(told.rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().lease()).isEqualTo(Safety.SAFE))
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	@Test
	void linksAndClocksCanBeBrokenByHandAndHealByThemselves() throws Exception {
		start(new LabSettings(3, Duration.ofMillis(600), Duration.ofMillis(100), Fence.ENGINE));
		this.play.act(ManualAction.parse("cut", 1, false));
		this.play.act(ManualAction.parse("delay", 1, false));
		this.play.act(ManualAction.parse("flush", 2, false));
		this.play.act(ManualAction.parse("clock", 1, false));
		this.play.act(ManualAction.parse("resume", 2, false));
		await(seen("node 1 ahead", "6").or((event) -> event.name().contains("C compiler")));
		await((event) -> event.is(Kind.STEP, "resume node 2: there is nothing to undo"));
		await((event) -> event.is(Kind.INJECT, "emptied"));
		await((event) -> event.is(Kind.UNDO, "cut off"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty());
	}

	@Test
	void whatIsKeptBrokenStaysSoUntilItIsMended() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(ManualAction.parse("pause", 3, true));
		await(seen("node 3 state", "paused"));
		this.play.act(ManualAction.parse("cut", 1, false));
		await((event) -> event.is(Kind.UNDO, "cut off"));
		assertThat(this.events).as("it began before the cut, which has healed")
			.noneMatch((event) -> event.is(Kind.UNDO, "paused"));
		this.play.act(ManualAction.parse("mend", 3, false));
		await((event) -> event.is(Kind.UNDO, "paused"));
		this.play.act(ManualAction.parse("mend", 5, false));
		await((event) -> event.is(Kind.STEP, "mend node 5: there is nothing to undo"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty());
	}

	@Test
	@Tag("slow")
	void aReplicaCanReplaceANodeByHandAndTheNodeComesBack() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(ManualAction.parse("promote", 2, false));
		await((event) -> event.is(Kind.INJECT, "killed, replica promoted"));
		await((event) -> event.is(Kind.UNDO, "killed, replica promoted"));
		await((event) -> event.is(Kind.UNDO, "replica that hears nothing"));
		this.events.clear();
		await((event) -> event.is(Kind.RETURN, "acquire") && event.detail("node 2").equals("ACQUIRED"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	@Test
	void aStoppedRunReportsNoRoundAndLeavesNoProcess() throws Exception {
		List<Long> before = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
		start(LabSettings.DEFAULT);
		this.run.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).isEmpty();
		assertThat(ProcessHandle.current().descendants().map(ProcessHandle::pid)).isSubsetOf(before);
	}

	@Test
	void describesTheActionsAndTheSettings() {
		assertThatThrownBy(() -> ManualAction.parse("dance", 1, false)).hasMessageContaining("kill-and-forget");
		assertThatThrownBy(() -> new LabSettings(4, Duration.ofSeconds(1), Duration.ofMillis(50), Fence.ENGINE))
			.hasMessage("The lab has 3 or 5 nodes, not 4");
		assertThatThrownBy(() -> new LabSettings(5, Duration.ofSeconds(9), Duration.ofMillis(50), Fence.ENGINE))
			.hasMessage("A lease takes 500 to 5000 ms, not 9000 ms");
	}

}
