package live.retwis.locks.lab;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.play.ClientAction;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.NodeAction;
import live.retwis.locks.lab.report.LabReport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Free play: clients compete for the lock while somebody breaks nodes. Also runs that are
 * stopped.
 */
@Timeout(150)
class FreePlayTests {

	/** Three clients start as processes, and the machine may have other work. */
	private static final Duration BOUND = Duration.ofSeconds(60);

	private FreePlay play = new FreePlay(Duration.ofSeconds(2), false);

	private final Queue<HistoryEvent> events = new ConcurrentLinkedQueue<>();

	private final LabRun run = new LabRun(new LabListener() {

		@Override
		public void happened(HistoryEvent event) {
			FreePlayTests.this.events.add(event);
		}

	});

	private CompletableFuture<LabReport> report = new CompletableFuture<>();

	private void start(LabSettings settings) {
		begin(settings);
		await((event) -> event.ended("acquire", "acquired"));
	}

	private void begin(LabSettings settings) {
		RunRequest order = new RunRequest(List.of(this.play), List.of(LabEngine.REDISSON), settings, 1, 1);
		this.report = CompletableFuture.supplyAsync(() -> this.run.play(order));
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

	@Test
	@Tag("slow")
	@Tag("long")
	void aNodeIsStruckByHandAndBroughtBackWhileTheOthersGoOn() throws Exception {
		start(LabSettings.DEFAULT);
		isStruckAndBroughtBack("pause", "paused", "resume");
		isStruckAndBroughtBack("kill", "gone", "restart");
		isStruckAndBroughtBack("kill-and-forget", "gone", "restart");
		this.play.stop();
		LabReport told = this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS);
		assertThat(told.rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().lease()).isEqualTo(Safety.SAFE))
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	private void isStruckAndBroughtBack(String strike, String state, String undo) {
		this.play.act(NodeAction.parse(strike, 3, true));
		await(seen("node 3 state", state));
		this.events.clear();
		await((event) -> event.ended("acquire", "acquired"));
		this.play.act(NodeAction.parse(undo, 3, false));
		await(seen("node 3 state", "up"));
		this.events.clear();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void linksAndClocksCanBeBrokenByHandAndHealByThemselves() throws Exception {
		start(new LabSettings(3, Duration.ofMillis(600), Duration.ofMillis(100), FencingMode.ENGINE));
		this.play.act(NodeAction.parse("cut", 1, false));
		this.play.act(NodeAction.parse("delay", 1, false));
		this.play.act(NodeAction.parse("flush", 2, false));
		this.play.act(NodeAction.parse("clock", 1, false));
		this.play.act(NodeAction.parse("resume", 2, false));
		await(seen("node 1 ahead", "6").or((event) -> event.name().contains("C compiler")));
		await((event) -> event.is(Kind.STEP, "resume node 2: there is nothing to undo"));
		await((event) -> event.is(Kind.INJECT, "emptied"));
		await((event) -> event.is(Kind.UNDO, "cut off"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whatIsKeptBrokenStaysSoUntilItIsMended() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(NodeAction.parse("pause", 3, true));
		await(seen("node 3 state", "paused"));
		this.play.act(NodeAction.parse("cut", 1, false));
		await((event) -> event.is(Kind.UNDO, "cut off"));
		assertThat(this.events).as("it began before the cut, which has healed")
			.noneMatch((event) -> event.is(Kind.UNDO, "paused"));
		this.play.act(NodeAction.parse("mend", 3, false));
		await((event) -> event.is(Kind.UNDO, "paused"));
		this.events.clear();
		this.play.act(NodeAction.parse("pause", 2, false));
		this.play.act(NodeAction.parse("cut", 2, true));
		await((event) -> event.is(Kind.UNDO, "paused"));
		assertThat(this.events).as("it is kept, but keeps nothing else")
			.noneMatch((event) -> event.is(Kind.UNDO, "cut off"));
		this.play.act(NodeAction.parse("mend", 5, false));
		await((event) -> event.is(Kind.STEP, "mend node 5: there is nothing to undo"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty());
	}

	private void tell(String what, String client) {
		this.play.act(ClientAction.parse(what, client, true));
	}

	private static Predicate<HistoryEvent> answer(String client, String operation, String outcome) {
		return (event) -> event.ended(operation, outcome) && event.subject().equals(client);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPausedHolderThatIsToldToWriteIsRefusedWhenItGoesOnAfterItsLease() throws Exception {
		this.play = new FreePlay(Duration.ofSeconds(2), true);
		begin(new LabSettings(5, Duration.ofSeconds(4), Duration.ofMillis(100), FencingMode.ENGINE));
		await((event) -> event.kind() == Kind.NODES);
		tell("write", "A");
		await((event) -> event.is(Kind.STEP, "write A: not done, the client was not granted the lock"));
		assertThat(this.events).as("nobody does anything by itself").noneMatch((event) -> event.kind() == Kind.INVOKE);
		tell("acquire", "A");
		await(answer("A", "read", "done"));
		tell("pause", "A");
		await((event) -> event.is(Kind.INJECT, "stopped"));
		Awaitility.await("B has the lock when A's lease is over").atMost(BOUND).until(() -> {
			tell("acquire", "B");
			return this.events.stream().anyMatch(answer("B", "read", "done"));
		});
		tell("write", "B");
		await(answer("B", "write", "written"));
		tell("release", "B");
		await(answer("B", "release", "done"));
		tell("write", "A");
		tell("resume", "A");
		await(answer("A", "write", "refused"));
		assertThat(this.events).filteredOn(answer("A", "write", "refused"))
			.allSatisfy((event) -> assertThat(event.detail("fence")).isEqualTo("owner"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().lease()).isEqualTo(Safety.SAFE))
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aKilledClientStaysDeadUntilItIsStartedAgainAndItsLinksAreBrokenAsBefore() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(NodeAction.parse("cut", 3, true));
		await((event) -> event.is(Kind.INJECT, "cut off") && event.subject().equals("A from node 3"));
		tell("kill", "A");
		await((event) -> event.is(Kind.DEATH, "killed") && event.subject().equals("A"));
		this.play.act(ClientAction.parse("pause", "B", false));
		await((event) -> event.is(Kind.UNDO, "stopped"));
		assertThat(this.events).as("A was killed before B was paused")
			.noneMatch((event) -> event.is(Kind.UNDO, "killed"));
		this.events.clear();
		tell("restart", "A");
		await((event) -> event.is(Kind.INJECT, "cut off") && event.subject().equals("A from node 3"));
		await((event) -> event.is(Kind.UNDO, "killed"));
		await(answer("A", "acquire", "acquired"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aReplicaCanReplaceANodeByHandAndTheNodeComesBack() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(NodeAction.parse("promote", 2, false));
		await((event) -> event.is(Kind.INJECT, "replica promoted"));
		await((event) -> event.is(Kind.UNDO, "replica promoted"));
		await((event) -> event.is(Kind.UNDO, "crashed"));
		await((event) -> event.is(Kind.UNDO, "replica that hears nothing"));
		this.events.clear();
		await((event) -> event.is(Kind.RETURN, "acquire") && event.detail("node 2").equals("ACQUIRED"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty())
			.satisfies((round) -> assertThat(round.verdict().effect()).isEqualTo(Safety.SAFE));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theClockOfAPromotedReplicaIsNotSetAndThePlaySaysSo() throws Exception {
		start(LabSettings.DEFAULT);
		this.play.act(NodeAction.parse("promote", 2, true));
		await((event) -> event.is(Kind.INJECT, "replica promoted"));
		this.play.act(NodeAction.parse("clock", 2, false));
		await((event) -> event.is(Kind.STEP, "clock node 2: not done, there is a replica in the place of the node"));
		this.play.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.record().error()).isEmpty());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aStoppedRunReportsNoRoundAndLeavesNoProcess() throws Exception {
		List<Long> before = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
		start(LabSettings.DEFAULT);
		this.run.stop();
		assertThat(this.report.get(BOUND.toSeconds(), TimeUnit.SECONDS).rounds()).isEmpty();
		assertThat(ProcessHandle.current().descendants().map(ProcessHandle::pid)).isSubsetOf(before);
	}

	@Test
	void describesTheActionsAndTheSettings() {
		assertThatThrownBy(() -> NodeAction.parse("dance", 1, false)).hasMessageContaining("kill-and-forget");
		assertThatThrownBy(() -> ClientAction.parse("dance", "A", false)).hasMessageContaining("acquire");
		assertThatThrownBy(() -> ClientAction.parse("pause", "D", false)).hasMessageContaining("[A, B, C]");
		assertThatThrownBy(() -> new LabSettings(4, Duration.ofSeconds(1), Duration.ofMillis(50), FencingMode.ENGINE))
			.hasMessage("The lab has 3 or 5 nodes, not 4");
		assertThatThrownBy(() -> new LabSettings(5, Duration.ofSeconds(9), Duration.ofMillis(50), FencingMode.ENGINE))
			.hasMessage("A lease takes 500 to 5000 ms, not 9000 ms");
	}

}
