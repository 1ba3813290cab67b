package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.lab.LabFormView.Choice;
import live.retwis.lab.LabScenarios.Themed;
import live.retwis.locks.lab.play.FreePlay;
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
 * The page {@code /lab}: the form that begins a run, the current or the last run, older
 * runs, and all scenarios.
 */
@ConditionalOnLab
class LabPageRenderer {

	private final PageTemplate page;

	private final PageFrames frames;

	private final LabRunner lab;

	private final LabRunRepository runs;

	private final LabScenarios scenarios;

	LabPageRenderer(Templates templates, PageFrames frames, LabRunner lab, LabRunRepository runs,
			LabScenarios scenarios) {
		this.scenarios = scenarios;
		this.page = templates.page("lab");
		this.frames = frames;
		this.lab = lab;
		this.runs = runs;
	}

	/**
	 * Answers with the page.
	 * @param form the form as it is shown
	 * @param notice why a run could not begin; null when that did not happen
	 */
	Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Optional<Viewer> viewer,
			LabForm form, @Nullable Localized notice) {
		return Mono.zip(this.frames.of(request.exchange(), Message.of("lab.title"), viewer, null),
				this.runs.newest().map(PastRun::of).collectList(),
				(frame, runs) -> new View(frame.at(LabHandler.PATH), LocalizedLabWords.tag(),
						LabFormView.scenario(form, this.scenarios), LabFormView.free(form, this.scenarios), notice,
						this.lab.latest().map((run) -> now(run, viewer)).orElse(null), runs, this.scenarios.themes()))
			.flatMap((view) -> HtmlResponses.page(response, this.page, view));
	}

	private RunNow now(ActiveRun run, Optional<Viewer> viewer) {
		boolean running = this.lab.underWay().filter(run::equals).isPresent();
		boolean own = viewer.filter((user) -> user.username().equals(run.by())).isPresent();
		boolean acts = running && own && run.head().isFree();
		boolean byHand = run.isByHand();
		return new RunNow(run.head(), LocalizedLabWords.title(run.head()), TimeFormat.text(run.head().began()), running,
				running && own, run.isKept(), failure(run), run.skipped(), run.rounds(), byHand,
				acts ? ActionChoices.onNodes() : List.of(),
				acts ? Stream.iterate(1, (number) -> number + 1).limit(run.head().nodes()).toList() : List.of(),
				acts ? ActionChoices.onClients(byHand) : List.of(), acts ? FreePlay.CLIENTS : List.of());
	}

	private static @Nullable Localized failure(ActiveRun run) {
		return run.error().isEmpty() ? null : Message.of("script.lab.failed");
	}

	/** The page has one form for scenarios and one for free play. */
	private record View(PageFrame frame, Localized labTag, LabFormView scenarioForm, LabFormView freeForm,
			@Nullable Localized notice, @Nullable RunNow run, List<PastRun> runs,
			List<Themed> themes) implements PageView {
	}

	/**
	 * The current run, or the last one.
	 *
	 * @param stoppable whether it is under way and the viewer has begun it
	 * @param failure why the lab failed; null if it did not
	 * @param skipped what was not played
	 * @param byHand whether it is a free play whose clients do only what they are told
	 * @param actions actions on nodes that the viewer can ask for; empty except in the
	 * viewer's own free play
	 * @param clientActions the same for clients
	 */
	private record RunNow(RunSummary head, Localized title, Localized began, boolean running, boolean stoppable,
			boolean kept, @Nullable Localized failure, List<Localized> skipped, List<RoundStatusView> rounds,
			boolean byHand, List<Choice> actions, List<Integer> nodes, List<Choice> clientActions,
			List<String> clients) {
	}

	private record PastRun(RunSummary head, Localized title, String began, List<Localized> results) {

		static PastRun of(RunSummary head) {
			return new PastRun(head, LocalizedLabWords.title(head), TimeFormat.numbers(head.began()), head.lines());
		}

	}

}
