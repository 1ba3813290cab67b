package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.ManualAction;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.web.FormField;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The page {@code /lab}: the form that begins a run, the run under way or the last one,
 * those before, and all scenarios.
 */
@ConditionalOnLab
class LabPage {

	private final PageTemplate page;

	private final PageFrames frames;

	private final LabRunner lab;

	private final LabRunRepository runs;

	private final LabScenarios scenarios;

	LabPage(Templates templates, PageFrames frames, LabRunner lab, LabRunRepository runs, LabScenarios scenarios) {
		this.scenarios = scenarios;
		this.page = templates.page("lab");
		this.frames = frames;
		this.lab = lab;
		this.runs = runs;
	}

	/**
	 * Shows it.
	 * @param form as it is to be shown
	 * @param notice what went wrong with the whole; null when nothing
	 */
	Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Optional<Viewer> viewer,
			LabForm form, @Nullable Localized notice) {
		return Mono
			.zip(this.frames.of(request.exchange(), Message.of("lab.title"), viewer, null),
					this.runs.newest().map(PastRun::of).collectList(),
					(frame, runs) -> new View(frame, FormView.of(form, this.scenarios.abouts()), notice,
							this.lab.latest().map(this::now).orElse(null), runs, this.scenarios.abouts()))
			.flatMap((view) -> HtmlResponses.page(response, this.page, view));
	}

	private RunNow now(ActiveRun run) {
		boolean running = this.lab.underWay().filter(run::equals).isPresent();
		boolean free = running && run.head().isFree();
		return new RunNow(run.head(), TimeFormat.text(run.head().began()), running, run.isKept(), run.error(),
				run.rounds(), free ? List.of(ManualAction.Kind.values()) : List.of(),
				free ? Stream.iterate(1, (number) -> number + 1).limit(run.head().nodes()).toList() : List.of());
	}

	private record View(PageFrame frame, FormView form, @Nullable Localized notice, @Nullable RunNow run,
			List<PastRun> runs, List<ScenarioDescription> scenarios) implements PageView {
	}

	/**
	 * The run under way, or the last one.
	 *
	 * @param actions what may be done to nodes; empty but in free play
	 */
	private record RunNow(RunSummary head, Localized began, boolean running, boolean kept, String error,
			List<RoundStatus> rounds, List<ManualAction.Kind> actions, List<Integer> nodes) {
	}

	private record PastRun(RunSummary head, String began, List<String> results) {

		static PastRun of(RunSummary head) {
			return new PastRun(head, TimeFormat.numbers(head.began()), head.results());
		}

	}

	/**
	 * The form with what is chosen in it.
	 */
	record FormView(LabForm fields, List<Choice> scenarios, List<Choice> engines, List<Choice> counts,
			@Nullable Localized engineError) {

		static FormView of(LabForm form, List<ScenarioDescription> abouts) {
			FormField scenario = form.scenario();
			return new FormView(form,
					abouts.stream()
						.map((about) -> new Choice(about.number(), about.number() + " " + about.title(),
								about.isCalled(scenario.value())))
						.toList(),
					Stream.of(LabEngine.RAW, LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RLOCK, LabEngine.RFENCED)
						.map((engine) -> new Choice(engine.label(), engine.label(),
								form.engines().contains(engine.label())))
						.toList(),
					Stream.of("5", "3")
						.map((count) -> new Choice(count, count, count.equals(form.nodes().value())))
						.toList(),
					form.engineError());
		}

	}

	/**
	 * One of several.
	 */
	record Choice(String value, String text, boolean chosen) {
	}

}
