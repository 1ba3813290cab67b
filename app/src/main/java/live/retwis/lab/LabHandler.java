package live.retwis.lab;

import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.play.ClientAction;
import live.retwis.locks.lab.play.FreePlayAction;
import live.retwis.locks.lab.play.NodeAction;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.web.FooterLink;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The pages and forms of the lab. Everybody can watch. Signed-in users can begin runs,
 * and stop their own. In a free play only its beginner acts.
 */
@ConditionalOnLab
class LabHandler implements RouteContributor {

	static final String PATH = "/lab";

	/** The part of the page that shows the run. */
	static final String LIVE = PATH + "#live";

	/** Number of the scenario that the form shows at first: nothing fails in it. */
	private static final String FIRST_SHOWN = "0";

	private final LabPageRenderer page;

	private final LabRunner lab;

	private final LabScenarios scenarios;

	private final SessionReader sessions;

	private final TimeSortedIdGenerator ids;

	private final LabProperties properties;

	LabHandler(LabPageRenderer page, LabRunner lab, LabScenarios scenarios, SessionReader sessions,
			TimeSortedIdGenerator ids, LabProperties properties) {
		this.page = page;
		this.lab = lab;
		this.scenarios = scenarios;
		this.sessions = sessions;
		this.ids = ids;
		this.properties = properties;
	}

	@Bean
	static FooterLink labLink() {
		return new FooterLink(PATH, Message.of("lab.title"));
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, RateLimit.LAB_RUNS, this::show)
			.post(PATH + "/runs", RateLimit.LAB,
					(request) -> this.sessions.signedIn(request, PATH,
							(session, sent) -> begin(request, session.viewer(), sent)))
			.post(PATH + "/stop", RateLimit.LAB,
					(request) -> this.sessions.signedIn(request, PATH, (session) -> stop(session.viewer())))
			.post(PATH + "/actions", RateLimit.LAB,
					(request) -> this.sessions.signedIn(request, PATH, (session, sent) -> act(session.viewer(), sent)));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		LabForm form = LabForm.fresh(request.queryParam("scenario").orElse(FIRST_SHOWN));
		return this.sessions.optional(request.exchange())
			.flatMap((viewer) -> this.page.show(request, ServerResponse.ok(), viewer, form, null));
	}

	private Mono<ServerResponse> begin(ServerRequest request, Viewer viewer, SubmittedForm sent) {
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
									form, LabBusyReason.why(this.lab, viewer.username())));
	}

	private Mono<ServerResponse> stop(Viewer viewer) {
		return this.lab.finishRun(viewer.username()) ? HtmlResponses.seeOther(PATH)
				: ProblemException.forbidden(Message.of("lab.stop-own"));
	}

	/** Only who began a free play may act in it. */
	private Mono<ServerResponse> act(Viewer viewer, SubmittedForm sent) {
		if (this.lab.isOthers(viewer.username())) {
			return ProblemException.forbidden(Message.of("lab.act-own"));
		}
		try {
			return this.lab.act(action(sent), viewer.username()) ? HtmlResponses.seeOther(LIVE)
					: ProblemException.of(HttpStatus.CONFLICT, Message.of("lab.action-refused"));
		}
		catch (IllegalArgumentException ex) {
			return ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("lab.action-unknown"));
		}
	}

	/** An action is done to a client if the form names one, else to a node. */
	private static FreePlayAction action(SubmittedForm sent) {
		boolean kept = !sent.get("keep").isEmpty();
		String client = sent.get("client");
		return client.isEmpty() ? NodeAction.parse(sent.get("kind"), Integer.parseInt(sent.get("node")), kept)
				: ClientAction.parse(sent.get("kind"), client, kept);
	}

}
