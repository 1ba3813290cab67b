package live.retwis.lab;

import java.util.List;
import java.util.Map;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * A page for each scenario: what happens, why it happens, what is expected, and the form
 * that plays it.
 */
@ConditionalOnLab
class LabScenarioHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final LabScenarios scenarios;

	LabScenarioHandler(Templates templates, PageFrames frames, LabScenarios scenarios) {
		this.scenarios = scenarios;
		this.page = templates.page("lab-scenario");
		this.frames = frames;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/lab/scenarios/{number}", this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return Mono.justOrEmpty(this.scenarios.find(request.pathVariable("number")))
			.flatMap((scenario) -> show(request, scenario))
			.switchIfEmpty(ProblemException.notFound(Message.of("lab-scenario.missing")));
	}

	private Mono<ServerResponse> show(ServerRequest request, ScenarioDescription about) {
		return this.frames.of(request.exchange(), Message.of("lab-scenario.title", about.number()))
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, LocalizedLabWords.tag(), about, LocalizedLabWords.title(about),
							LocalizedLabWords.text(about::text), expected(about),
							about.literature().stream().map(CitationView::of).toList(),
							LabFormView.of(LabForm.fresh(about.number()), this.scenarios))));
	}

	private static List<Row> expected(ScenarioDescription about) {
		return about.expected().entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Row::of).toList();
	}

	private record View(PageFrame frame, Localized labTag, ScenarioDescription about, Localized title, Localized text,
			List<Row> expected, List<CitationView> literature, LabFormView form) implements PageView {
	}

	/** The expected ending for an engine. */
	private record Row(Localized engine, String id, Localized ending) {

		static Row of(Map.Entry<LabEngine, Expectation> expected) {
			Expectation ending = expected.getValue();
			return new Row(LocalizedLabWords.engine(expected.getKey().label()), expected.getKey().label(),
					LocalizedLabWords.sentence((sentences) -> sentences.expected(ending)));
		}

	}

}
