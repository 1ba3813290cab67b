package live.retwis.lab;

import java.util.List;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.lab.DesignSearches.Search;
import live.retwis.limit.RateLimit;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.design.Counterexample;
import live.retwis.locks.lab.design.CounterexampleScenario;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Plays on real nodes what a search has found. It is a run of the lab, so only one is
 * played at a time.
 */
@ConditionalOnLab
class CounterexamplePlayHandler implements RouteContributor {

	private final SessionReader sessions;

	private final DesignSearches searches;

	private final LabRunner lab;

	private final TimeSortedIdGenerator ids;

	CounterexamplePlayHandler(SessionReader sessions, DesignSearches searches, LabRunner lab,
			TimeSortedIdGenerator ids) {
		this.sessions = sessions;
		this.searches = searches;
		this.lab = lab;
		this.ids = ids;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post(LockDesignHandler.PATH + "/play", RateLimit.LAB, this::play);
	}

	private Mono<ServerResponse> play(ServerRequest request) {
		return this.sessions.signedIn(request, LockDesignHandler.PATH, (session, sent) -> play(session.viewer(), sent));
	}

	private Mono<ServerResponse> play(Viewer viewer, SubmittedForm sent) {
		Optional<RedlockDesign> design = LockDesignForm.find(sent::get);
		Optional<Counterexample> found = design.flatMap(this.searches::find).flatMap(Search::found);
		if (design.isEmpty() || found.isEmpty()) {
			return ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("lab-design.nothing"));
		}
		return this.searches.isPlayable(found.get()) ? begin(viewer, design.get(), found.get())
				: ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("lab-design.no-clocks"));
	}

	private Mono<ServerResponse> begin(Viewer viewer, RedlockDesign design, Counterexample found) {
		CounterexampleScenario scenario = new CounterexampleScenario(design, found);
		RunRequest order = new RunRequest(List.of(scenario), List.of(LabEngine.DESIGN), scenario.settings(),
				found.seed(), 1);
		return this.ids.next()
			.flatMap((id) -> this.lab.begin(RunSummary.of(id.id(), id.millis(), scenario.about(), order).of(design),
					order, viewer.username()) ? HtmlResponses.seeOther(LabHandler.LIVE)
							: ProblemException.of(HttpStatus.CONFLICT, busy(viewer)));
	}

	private Localized busy(Viewer viewer) {
		return this.lab.underWay().isPresent() ? Message.of("lab-design.lab-busy")
				: LabBusyReason.why(this.lab, viewer.username());
	}

}
