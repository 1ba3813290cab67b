package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.locks.lab.report.HtmlReport;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.locks.lab.words.LabWords;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
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
class StoredRunHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final LabRunRepository runs;

	StoredRunHandler(Templates templates, PageFrames frames, LabRunRepository runs) {
		this.page = templates.page("lab-run");
		this.frames = frames;
		this.runs = runs;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/lab/runs/{id}.json", RateLimit.LAB_RUNS, this::json)
			.get("/lab/runs/{id}/report", RateLimit.LAB_RUNS, this::report)
			.get("/lab/runs/{id}", RateLimit.LAB_RUNS, this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		String id = request.pathVariable("id");
		return Mono.zip(this.runs.head(id), this.runs.report(id), Run::new)
			.switchIfEmpty(notKept())
			.flatMap((run) -> this.frames.of(request.exchange(), Message.of("lab-run.title"))
				// Rendering thousands of events takes too long for an event loop.
				.publishOn(Schedulers.boundedElastic())
				.flatMap((frame) -> HtmlResponses.page(this.page, View.of(frame, run.head(), run.report()))));
	}

	private Mono<ServerResponse> report(ServerRequest request) {
		String id = request.pathVariable("id");
		Locale locale = this.frames.language(request.exchange()).locale();
		return this.runs.report(id)
			.map((report) -> HtmlReport.of(report, LabWords.of(locale)).getBytes(StandardCharsets.UTF_8))
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

	private record View(PageFrame frame, Localized labTag, RunSummary head, Localized when, Localized title,
			List<Localized> found, List<Row> summaries, List<RoundView> rounds,
			List<Localized> notes) implements PageView {

		static View of(PageFrame frame, RunSummary head, LabReport report) {
			return new View(frame, LocalizedLabWords.tag(), head, TimeFormat.text(head.began()),
					LocalizedLabWords.title(head), head.lines(), report.summaries().stream().map(Row::of).toList(),
					IntStream.range(0, report.rounds().size())
						.mapToObj((i) -> RoundView.of(i, report.rounds().get(i)))
						.toList(),
					Stream
						.concat(report.skippedScenarios().stream().map(LocalizedLabWords::skipped),
								report.shortenings().stream().map(LocalizedLabWords::shortened))
						.toList());
		}

	}

	/** A row of the table: the rounds of one engine. */
	private record Row(Localized engine, String p50, String p95, String p99, String granted) {

		static Row of(ScenarioSummary summary) {
			return new Row(LocalizedLabWords.engine(summary.engine()), millis(summary.p50()), millis(summary.p95()),
					millis(summary.p99()), Math.round(summary.availability() * 100) + " %");
		}

	}

	private static String millis(double millis) {
		return "%.1f".formatted(millis);
	}

}
