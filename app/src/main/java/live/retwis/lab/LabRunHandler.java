package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.account.Sessions;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.report.HtmlPage;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ReportText;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Shows a stored run as a page, as a report to download and as JSON.
 */
@ConditionalOnLab
class LabRunHandler implements SiteRoutes {

	private final PageTemplate page;

	private final PageFrames frames;

	private final Sessions sessions;

	private final LabRunRepository runs;

	LabRunHandler(Templates templates, PageFrames frames, Sessions sessions, LabRunRepository runs) {
		this.page = templates.page("lab-run");
		this.frames = frames;
		this.sessions = sessions;
		this.runs = runs;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/lab/runs/{id}.json", this::json)
			.get("/lab/runs/{id}/report", this::report)
			.get("/lab/runs/{id}", this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		String id = request.pathVariable("id");
		return Mono.zip(this.runs.head(id), this.runs.report(id), Run::new)
			.switchIfEmpty(notKept())
			.flatMap((run) -> this.sessions.optional(request.exchange())
				.flatMap((viewer) -> this.frames.of(request.exchange(), Message.of("lab-run.title"), viewer, null))
				// Rendering thousands of events takes too long for an event loop.
				.publishOn(Schedulers.boundedElastic())
				.flatMap((frame) -> HtmlResponses.page(this.page, View.of(frame, run.head(), run.report()))));
	}

	private Mono<ServerResponse> report(ServerRequest request) {
		String id = request.pathVariable("id");
		return this.runs.report(id)
			.map((report) -> HtmlPage.of(report).getBytes(StandardCharsets.UTF_8))
			.switchIfEmpty(notKept())
			.flatMap((html) -> ServerResponse.ok()
				.contentType(MediaType.parseMediaType("text/html;charset=UTF-8"))
				.header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"redlock-lab-" + id + ".html\"")
				.bodyValue(html));
	}

	private Mono<ServerResponse> json(ServerRequest request) {
		return this.runs.json(request.pathVariable("id"))
			.map((json) -> json.getBytes(StandardCharsets.UTF_8))
			.switchIfEmpty(notKept())
			.flatMap((json) -> ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(json));
	}

	private static <T> Mono<T> notKept() {
		return ProblemException.notFound(Message.of("lab-run.missing", LabRunRepository.MOST));
	}

	/** A stored run. */
	private record Run(RunSummary head, LabReport report) {
	}

	private record View(PageFrame frame, RunSummary head, Localized when, List<Row> summaries, List<RoundView> rounds,
			List<String> skipped) implements PageView {

		static View of(PageFrame frame, RunSummary head, LabReport report) {
			return new View(frame, head, TimeFormat.text(head.began()),
					report.summaries().stream().map(Row::of).toList(),
					IntStream.range(0, report.rounds().size())
						.mapToObj((i) -> RoundView.of(i, report.rounds().get(i)))
						.toList(),
					report.skipped());
		}

	}

	/** A row of the table: the rounds of one engine. */
	private record Row(String engine, String endings, String verdicts, String p50, String p95, String p99,
			String granted) {

		static Row of(ScenarioSummary summary) {
			return new Row(summary.engine(), counts(summary.endings()), counts(summary.verdicts()),
					millis(summary.p50()), millis(summary.p95()), millis(summary.p99()),
					Math.round(summary.availability() * 100) + " %");
		}

		private static String counts(Map<?, Long> counts) {
			return counts.entrySet()
				.stream()
				.map((entry) -> entry.getValue() + " × " + entry.getKey())
				.collect(Collectors.joining(", "));
		}

	}

	/** One round with its violations and events. */
	private record RoundView(int index, String engine, int round, long seed, String result, boolean bad,
			List<ViolationView> violations, List<EventView> events) {

		static RoundView of(int index, JudgedRound round) {
			return new RoundView(index, round.record().engine(), round.record().round(), round.record().seed(),
					ReportText.result(round), !round.verdict().violations().isEmpty(),
					round.verdict().violations().stream().map(ViolationView::of).toList(),
					round.record().events().stream().map(EventView::of).toList());
		}

	}

	private record ViolationView(String judge, String from, String until, String what) {

		static ViolationView of(LabViolation violation) {
			return new ViolationView(violation.judge(), millis(violation.from() / 1e6), millis(violation.until() / 1e6),
					violation.what());
		}

	}

	private record EventView(String at, String kind, String subject, String name, String details) {

		static EventView of(HistoryEvent event) {
			return new EventView(millis(event.at() / 1e6), event.kind().name().toLowerCase(Locale.ROOT),
					event.subject(), event.name(),
					event.details()
						.entrySet()
						.stream()
						.sorted(Comparator.comparing(Map.Entry::getKey))
						.map(EventView::text)
						.collect(Collectors.joining(", ")));
		}

		private static String text(Map.Entry<String, String> detail) {
			return detail.getKey() + ": " + (detail.getKey().equals(HistoryEvent.UNTIL)
					? millis(Long.parseLong(detail.getValue()) / 1e6) + " ms" : detail.getValue());
		}

	}

	private static String millis(double millis) {
		return "%.1f".formatted(millis);
	}

}
