package live.retwis.lab;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How often one address can have the page of a stored run rendered. */
class LabPagesLimitTests {

	@Test
	@Tag("slow")
	@Tag("long")
	void oneAddressCannotHaveReportsRenderedWithoutEnd() {
		try (Site site = Site.another("--retwis.lab.enabled=true", "--retwis.limits.enabled=true",
				"--retwis.limits.timeout=20s", "--retwis.limits.lab-runs=60/1h")) {
			TimeSortedIdGenerator.NewId id = Objects
				.requireNonNull(site.bean(TimeSortedIdGenerator.class).next().block());
			List<HistoryEvent> events = LongStream.range(0, 2_000)
				.mapToObj((i) -> new HistoryEvent(i, Kind.STEP, "A", "seen", 0, Map.of("node 1", "f".repeat(300))))
				.toList();
			LabReport report = new LabReport("2026-11-22T00:00:00Z", LabSettings.DEFAULT,
					List.of(JudgedRound.of(new RoundRecord("8a", "raw", 1, 1, 1000, "", events), Expectation.SHOWN)),
					List.of(), List.of(), List.of());
			RunSummary head = new RunSummary(id.id(), id.millis(), "8a", "held", List.of("raw"), 5, 1000, 100, 1, 1,
					List.of(), Map.of(), "");
			site.bean(LabRunRepository.class).save(head, report).block();
			Visitor visitor = Visitor.of(site);
			Set<Integer> answers = new TreeSet<>();
			for (int i = 0; i < 70; i++) {
				answers.add(visitor.get("/lab/runs/" + id.id() + "/report").status());
			}
			assertThat(answers).as("answers to 70 requests in a row").contains(429);
		}
	}

}
