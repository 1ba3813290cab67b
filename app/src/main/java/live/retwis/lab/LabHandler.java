package live.retwis.lab;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import live.retwis.account.Sessions;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.play.ManualAction;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.words.LabWords;
import live.retwis.redis.Ids;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.SentForm;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.TimeFormat;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The pages and forms of the lab. Everybody can watch. Signed-in users can begin runs,
 * and stop their own.
 */
@ConditionalOnLab
class LabHandler implements SiteRoutes {

	static final String PATH = "/lab";

	/** The part of the page that shows the run. */
	private static final String LIVE = PATH + "#live";

	/** Number of the scenario that the form shows at first: nothing fails in it. */
	private static final String FIRST_SHOWN = "0";

	private final LabPage page;

	private final LabRunner lab;

	private final LabScenarios scenarios;

	private final Sessions sessions;

	private final Ids ids;

	private final LabProperties properties;

	LabHandler(LabPage page, LabRunner lab, LabScenarios scenarios, Sessions sessions, Ids ids,
			LabProperties properties) {
		this.page = page;
		this.lab = lab;
		this.scenarios = scenarios;
		this.sessions = sessions;
		this.ids = ids;
		this.properties = properties;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, this::show)
			.post(PATH + "/runs", RateLimit.LAB,
					(request) -> signedIn(request, (viewer, sent) -> begin(request, viewer, sent)))
			.post(PATH + "/stop", RateLimit.LAB, (request) -> signedIn(request, (viewer, sent) -> stop(viewer)))
			.post(PATH + "/actions", RateLimit.LAB, (request) -> signedIn(request, (viewer, sent) -> act(sent)));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		LabForm form = LabForm.fresh(request.queryParam("scenario").orElse(FIRST_SHOWN));
		return this.sessions.optional(request.exchange())
			.flatMap((viewer) -> this.page.show(request, ServerResponse.ok(), viewer, form, null));
	}

	private Mono<ServerResponse> signedIn(ServerRequest request,
			BiFunction<Viewer, SentForm, Mono<ServerResponse>> answer) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> SentForm.of(request).flatMap((sent) -> answer.apply(viewer, sent)))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, PATH)));
	}

	private Mono<ServerResponse> begin(ServerRequest request, Viewer viewer, SentForm sent) {
		LabForm form = LabForm.of(sent, this.scenarios, this.properties.rounds());
		Optional<ScenarioDescription> scenarioDescription = this.scenarios.find(form.scenario().value())
			.filter((found) -> form.isRight());
		return scenarioDescription.isPresent() ? begin(request, viewer, form, scenarioDescription.get())
				: this.page.show(request, ServerResponse.unprocessableContent(), Optional.of(viewer), form, null);
	}

	private Mono<ServerResponse> begin(ServerRequest request, Viewer viewer, LabForm form,
			ScenarioDescription scenarioDescription) {
		RunRequest order = form.order(scenarioDescription);
		return this.ids.next()
			.flatMap((id) -> this.lab.begin(RunSummary.of(id.id(), id.millis(), scenarioDescription, order), order,
					viewer.username()) ? HtmlResponses.seeOther(LIVE)
							: this.page.show(request, ServerResponse.status(HttpStatus.CONFLICT), Optional.of(viewer),
									form, busy(viewer)));
	}

	private Localized busy(Viewer viewer) {
		if (this.lab.underWay().isEmpty() && this.lab.isOthersTurn(viewer.username())) {
			return Message.of("lab.others-turn");
		}
		return this.lab.latest().map(LabHandler::busy).orElseGet(() -> Message.of("lab.closing"));
	}

	private static Localized busy(ActiveRun run) {
		return (language) -> {
			LabWords words = LabWords.of(language.locale());
			String engines = run.head().engines().stream().map(words::engine).collect(Collectors.joining(", "));
			return Message
				.of("lab.busy", run.by(), LabTexts.title(words, run.head()), engines,
						TimeFormat.numbers(run.head().began()))
				.in(language);
		};
	}

	private Mono<ServerResponse> stop(Viewer viewer) {
		return this.lab.finishRun(viewer.username()) ? HtmlResponses.seeOther(PATH)
				: ProblemException.forbidden(Message.of("lab.stop-own"));
	}

	private Mono<ServerResponse> act(SentForm sent) {
		try {
			ManualAction action = ManualAction.parse(sent.get("kind"), Integer.parseInt(sent.get("node")),
					!sent.get("keep").isEmpty());
			return this.lab.act(action) ? HtmlResponses.seeOther(PATH)
					: ProblemException.of(HttpStatus.CONFLICT, Message.of("lab.action-refused"));
		}
		catch (IllegalArgumentException ex) {
			return ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("lab.action-unknown"));
		}
	}

}
