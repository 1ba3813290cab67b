package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.OmittedReportPart;
import live.retwis.locks.lab.report.OmittedReportPart.Part;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The store of past runs, on a real Redis.
 */
class LabRunRepositoryTests {

	private final Site site = Site.shared();

	private final LabRunRepository runs = this.site.bean(LabRunRepository.class);

	private RunSummary head() {
		TimeSortedIdGenerator.NewId id = Objects
			.requireNonNull(this.site.bean(TimeSortedIdGenerator.class).next().block());
		return new RunSummary(id.id(), id.millis(), "8a", "held", List.of("raw"), 5, 1000, 100, 1, 1, List.of(),
				Map.of(), "");
	}

	/**
	 * A report in which two clients hold the lock at the same time. The violation is
	 * among the given numbers of looks at the nodes and of steps.
	 */
	private static LabReport report(int looks, int steps) {
		List<HistoryEvent> events = LongStream.range(0, looks + steps)
			.mapToObj((i) -> new HistoryEvent(i, (i < looks) ? Kind.NODES : Kind.STEP, "", "seen", 0,
					Map.of("node 1", "f".repeat(300))))
			.collect(Collectors.toCollection(ArrayList::new));
		for (String client : List.of("A", "B")) {
			events.add(0, new HistoryEvent(10, Kind.RETURN, client, "acquire", client.charAt(0),
					Map.of("outcome", "acquired", "owner", client)));
		}
		RoundRecord record = new RoundRecord("8a", "raw", 1, 1, 1000, "", events);
		return new LabReport("2026-11-22T00:00:00Z", LabSettings.DEFAULT,
				List.of(JudgedRound.of(record, Expectation.SHOWN)), List.of(), List.of(), List.of());
	}

	@Test
	void aRunIsReadAsItWasStoredByAnyInstance() {
		RunSummary head = head();
		LabReport report = report(3, 3);
		this.runs.save(head, report).block();
		assertThat(this.runs.report(head.id()).block()).isEqualTo(report);
		assertThat(this.runs.json(head.id()).block()).isEqualTo(HistoryJson.line(report));
		assertThat(Objects.requireNonNull(this.runs.head(head.id()).block()).results()).singleElement()
			.asString()
			.startsWith("raw: 1 AS_DESCRIBED (lease UNSAFE");
	}

	@Test
	void onlyTheLastHundredRunsAreKept() {
		RunSummary first = head();
		this.runs.save(first, report(1, 0)).block();
		List<String> later = LongStream.range(0, LabRunRepository.MOST).mapToObj((i) -> {
			RunSummary head = head();
			this.runs.save(head, report(1, 0)).block();
			return head.id();
		}).toList();
		assertThat(this.site.redis().zcard(Keys.LAB_RUNS)).isEqualTo(LabRunRepository.MOST);
		assertThat(this.runs.newest().map(RunSummary::id).collectList().block()).hasSize(LabRunRepository.MOST)
			.startsWith(later.get(later.size() - 1))
			.doesNotContain(first.id());
		assertThat(this.site.redis().exists(Keys.LAB_RUN + first.id())).isZero();
		assertThat(this.runs.report(first.id()).block()).isNull();
	}

	@Test
	void aLongRunIsStoredWithFewerLooksAtTheNodesAndSaysSo() {
		LabReport long1 = report(6000, 100);
		String json = StoredRunCodec.json(long1);
		LabReport kept = HistoryJson.read(json, LabReport.class);
		assertThat(json.getBytes(StandardCharsets.UTF_8).length).isBetween(StoredRunCodec.MOST / 4,
				StoredRunCodec.MOST);
		assertThat(kept.shortenings()).containsExactly(OmittedReportPart.of(Part.LOOKS));
		assertThat(kept.rounds().get(0).record().events()).filteredOn((event) -> event.kind() == Kind.STEP)
			.hasSize(100);
		assertThat(kept.rounds().get(0).verdict()).isEqualTo(long1.rounds().get(0).verdict());
	}

	@Test
	void everyStoredRunIsWithinTheBound() {
		LabReport huge = report(10, 20_000);
		String json = StoredRunCodec.json(huge);
		LabReport kept = HistoryJson.read(json, LabReport.class);
		assertThat(json.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(StoredRunCodec.MOST);
		assertThat(kept.shortenings()).containsExactly(OmittedReportPart.of(Part.EVENTS, 1000, 100));
		assertThat(kept.summaries()).isEqualTo(huge.summaries());
		assertThat(VerdictSentences.ENGLISH.of(kept.rounds().get(0)))
			.isEqualTo(VerdictSentences.ENGLISH.of(huge.rounds().get(0)));
		assertThat(VerdictSentences.ENGLISH.summaries(kept.rounds()))
			.isEqualTo(VerdictSentences.ENGLISH.summaries(huge.rounds()));
		assertThat(kept.rounds().get(0).verdict().lease()).isEqualTo(Safety.UNSAFE);
		assertThat(StoredRunCodec.unpack(StoredRunCodec.pack(json))).isEqualTo(json);
	}

	@Test
	void aRunOfAnEarlierReleaseCanBeRead() {
		String json = HistoryJson.line(report(1, 1))
			.replace("\"skippedScenarios\":[],\"shortenings\":[]", "\"skipped\":[\"8a, raw: skipped\"]");
		assertThat(json).contains("\"skipped\"").doesNotContain("shortenings");
		assertThat(HistoryJson.read(json, LabReport.class)).isEqualTo(report(1, 1));
	}

	@Test
	void aMalformedRunIdIsNotLookedUpInRedis() {
		assertThat(this.runs.report("../etc").block()).isNull();
		assertThat(this.runs.head("0AAAAAAAAAAAA").block()).isNull();
	}

}
