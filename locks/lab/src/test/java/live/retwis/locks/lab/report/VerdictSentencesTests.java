package live.retwis.locks.lab.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.OmittedReportPart.Part;
import live.retwis.locks.lab.report.SkippedScenario.Reason;
import live.retwis.locks.lab.words.LabWords;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What rounds showed, in sentences.
 */
class VerdictSentencesTests {

	private static final VerdictSentences CHINESE = new VerdictSentences(LabWords.of(Locale.CHINESE));

	private static HistoryEvent acquired(String client, long millis) {
		return new HistoryEvent(millis * 1_000_000, Kind.RETURN, client, "acquire", client.charAt(0), Map.of("outcome",
				"acquired", "owner", client, HistoryEvent.UNTIL, String.valueOf((millis + 5000) * 1_000_000)));
	}

	private static HistoryEvent read(String client, long millis) {
		return new HistoryEvent(millis * 1_000_000, Kind.RETURN, client, "read", 0,
				Map.of("outcome", "done", "owner", client, "value", "0"));
	}

	private static Stream<HistoryEvent> write(String client, long millis, String outcome) {
		Map<String, String> details = Map.of("owner", client, "value", "1", "outcome", outcome);
		return Stream.of(new HistoryEvent(millis * 1_000_000, Kind.INVOKE, client, "write", millis, details),
				new HistoryEvent(millis * 1_000_000, Kind.RETURN, client, "write", millis, details));
	}

	private static HistoryEvent store(String value, String writes) {
		return new HistoryEvent(9_000_000_000L, Kind.STORE, "store", "", 0, Map.of("value", value, "writes", writes));
	}

	@SafeVarargs
	private static List<HistoryEvent> events(Stream<HistoryEvent>... parts) {
		return Stream.of(parts).flatMap((part) -> part).toList();
	}

	private static JudgedRound round(String scenario, Expectation expected, List<HistoryEvent> events) {
		return JudgedRound.of(new RoundRecord(scenario, "redisson", 1, 1, 5000, "", events), expected);
	}

	/** A and B have the lock at once for 4 s, and the store refuses A's write. */
	private static List<HistoryEvent> fenced() {
		return events(Stream.of(acquired("A", 0), acquired("B", 1000)), write("B", 2000, "written"),
				write("A", 3000, "refused"), Stream.of(store("1", "B=1")));
	}

	@Test
	void aRoundIsToldAsSomebodyWouldTellIt() {
		JudgedRound round = round("3", Expectation.FENCED, fenced());
		assertThat(VerdictSentences.ENGLISH.of(round)).isEqualTo(
				"Two clients, A and B, held the lock at once for 4.0 s. The store refused a write by A, who was not, or no longer, the owner that it knew: nothing was lost."
						+ " That is what this scenario shows.");
		assertThat(CHINESE.of(round))
			.isEqualTo("两个客户端 A 和 B 同时持有锁 4.0 秒。存储拒绝了 A 的 1 次写入，因为在它看来对方不是或不再是持有者：什么都没有丢失。这正是本场景要展示的。");
		assertThat(VerdictSentences.ENGLISH.summaries(List.of(round))).containsExactly(
				"Retwis, sequential: Two clients held the lock at once. The store refused a write by A, who was not, or no longer, the owner that it knew: nothing was lost."
						+ " That is what this scenario shows.");
	}

	@Test
	void aRefusedWriteNamesWhoHasClaimedTheStoreSince() {
		List<HistoryEvent> events = new ArrayList<>(fenced());
		events.add(1, read("A", 100));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, events)))
			.contains("The store refused a write by A, who was not, or no longer, the owner that it knew");
		events.add(3, read("B", 1100));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, events)))
			.contains("The store refused a write by A, because B had claimed it since: nothing was lost.");
	}

	@Test
	void refusedWritesOfSeveralClientsNameWhoHasClaimedTheStoreSince() {
		List<HistoryEvent> events = events(Stream.of(read("A", 100), read("B", 200), read("C", 300)),
				write("B", 400, "refused"), write("A", 500, "refused"), Stream.of(store("0", "")));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, events)))
			.contains("The store refused 2 writes by B, A, because C had claimed it since: nothing was lost.");
	}

	/** The answers come in another order than that in which the store did it. */
	@Test
	void aRefusedWriteNamesWhoClaimedTheStoreLastByTheClockOfTheStore() {
		List<HistoryEvent> events = events(Stream.of(stored(read("C", 100), 99), stored(read("B", 101), 98)),
				write("B", 400, "refused"), Stream.of(store("0", "")));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, events)))
			.contains("The store refused a write by B, because C had claimed it since: nothing was lost.");
	}

	@Test
	void lostWritesAreCounted() {
		List<HistoryEvent> two = events(Stream.of(read("A", 100), read("B", 110)), write("A", 200, "written"),
				write("B", 300, "written"));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, with(two, store("1", "A=1,B=1")))))
			.contains("A write was lost that had been acknowledged.");
		List<HistoryEvent> three = events(two.stream(), Stream.of(read("C", 120)), write("C", 400, "written"));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, with(three, store("1", "A=1,B=1,C=1")))))
			.contains("2 writes were lost that had been acknowledged.");
	}

	@Test
	void aStoreThatComparesNumbersRefusesBecauseAGreaterOneHasWritten() {
		List<HistoryEvent> events = events(Stream.of(read("A", 100), read("B", 200), read("C", 250)),
				numbered("B", 300, "written", 2), numbered("A", 400, "refused", 1), Stream.of(store("1", "B=1")));
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.FENCED, events)))
			.contains("The store refused a write by A, because B had written with a greater number: nothing was lost.");
	}

	private static List<HistoryEvent> with(List<HistoryEvent> events, HistoryEvent end) {
		return Stream.concat(events.stream(), Stream.of(end)).toList();
	}

	private static HistoryEvent stored(HistoryEvent event, long millis) {
		return with(event, HistoryEvent.STORED_AT, Long.toString(millis * 1_000_000));
	}

	private static Stream<HistoryEvent> numbered(String client, long millis, String outcome, long number) {
		return write(client, millis, outcome).map((event) -> with(event, "fence", "number " + number));
	}

	private static HistoryEvent with(HistoryEvent event, String detail, String value) {
		Map<String, String> details = new HashMap<>(event.details());
		details.put(detail, value);
		return new HistoryEvent(event.at(), event.kind(), event.subject(), event.name(), event.operation(), details);
	}

	@Test
	void aRoundThatEndsOtherwiseSaysWhatWasExpected() {
		assertThat(VerdictSentences.ENGLISH.of(round("3", Expectation.SAFE, fenced())))
			.endsWith("The scenario expects otherwise: Never do two clients hold the lock at once. No write is lost.");
	}

	@Test
	void aSituationThatDidNotComeAboutIsToldWithoutTheEnglishOfItsSchedule() {
		HistoryEvent missed = new HistoryEvent(0, Kind.MISSED, "", "all nodes have forgotten A", 0, Map.of());
		assertThat(CHINESE.of(round("8a", Expectation.SAFE, List.of(missed)))).doesNotContainPattern("[a-z]{2,}");
	}

	@Test
	void freePlayIsNotJudgedByAnExpectationAndItsWritesAreCountedAtTheEnd() {
		assertThat(VerdictSentences.ENGLISH.of(round("free", Expectation.SHOWN, List.of(acquired("A", 0)))))
			.isEqualTo("Never did two clients hold the lock at once. Whether a write is lost is counted at the end.");
	}

	@Test
	void aRoundInWhichNobodyGotTheLockSaysNoMore() {
		HistoryEvent asked = new HistoryEvent(0, Kind.INVOKE, "A", "acquire", 1, Map.of());
		assertThat(VerdictSentences.ENGLISH.of(round("6", Expectation.NONE, List.of(asked, store("0", "")))))
			.isEqualTo("Nobody got the lock. That is what this scenario shows.");
	}

	@Test
	void aRoundInWhichSomebodyGetsTheLockOnlyWhenAllIsHealedSaysSo() {
		HistoryEvent healed = new HistoryEvent(0, Kind.HEALED, "", "", 0, Map.of());
		assertThat(VerdictSentences.ENGLISH
			.of(round("6", Expectation.NONE, List.of(healed, acquired("A", 10), store("0", "")))))
			.startsWith("At first nobody got the lock, in the end somebody did.");
	}

	@Test
	void aBuildServerReadsTheSentences() {
		LabReport report = new LabReport("2026-11-23T00:00:00Z", LabSettings.DEFAULT,
				List.of(round("3", Expectation.SAFE, fenced())), List.of(), List.of(), List.of());
		assertThat(JUnitXml.of(report)).contains("classname=\"lab.3.redisson\"",
				"message=\"Two clients, A and B, held the lock at once for 4.0 s.", "OTHERWISE: lease UNSAFE");
	}

	@Test
	void whatWasNotPlayedAndWhatIsNotKeptIsSaidInEachLanguage() {
		LabReport report = new LabReport("2026-11-23T00:00:00Z", LabSettings.DEFAULT, List.of(),
				List.of(new SkippedScenario("3", "crash", "a node crashes", "redisson", Reason.FIVE_NODES)),
				List.of(OmittedReportPart.of(Part.TRAFFIC, 4), OmittedReportPart.of(Part.EVENTS, 1000, 100)),
				List.of());
		assertThat(HtmlReport.of(report)).contains(
				"Scenario 3, “a node crashes”, was not played with Retwis, sequential: its schedule takes five nodes.",
				"Left out: the commands on the links after the first 4 rounds.", "the first 1,000 events");
		assertThat(HtmlReport.of(report, LabWords.of(Locale.CHINESE))).contains("没有用 Retwis", "它的时间表需要五个节点",
				"链路上的命令（前 4 轮之后）");
		assertThat(JUnitXml.of(report)).contains("name=\"3 crash, redisson: skipped, its schedule takes five nodes\"");
	}

	@Test
	void theReportFileHasItsModulesAndItsTextsInEachLanguage() {
		LabReport report = new LabReport("2026-11-23T00:00:00Z", LabSettings.DEFAULT,
				LongStream.range(0, 1).mapToObj((i) -> round("3", Expectation.FENCED, fenced())).toList(), List.of(),
				List.of(), List.of());
		String page = HtmlReport.of(report, LabWords.of(Locale.CHINESE));
		assertThat(page)
			.contains("<html lang=\"zh\">", "两个客户端 A 和 B 同时持有锁 4.0 秒", "\"lab.replay\":\"重放\"", "持有锁的节点崩溃后空着回来",
					"const { showRound } = $lab_round;")
			.doesNotContainPattern("(?m)^(import|export) ");
		assertThat(HtmlReport.of(report)).contains("<html lang=\"en\">", "\"lab.replay\":\"Replay\"",
				"\"acquisitions\":[");
	}

}
