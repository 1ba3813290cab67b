package live.retwis.breaking;

import java.util.Map;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Keeps what a page has seen of a breakage, and shows it to whoever has the address.
 */
@ConditionalOnClusterControl
class BreakReportHandler implements RouteContributor {

	private static final String PATH = "/break/reports";

	private static final JsonMapper JSON = JsonMapper.shared();

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final ClusterControlClient cluster;

	BreakReportHandler(Templates templates, PageFrames frames, SessionReader sessions, ClusterControlClient cluster) {
		this.page = templates.page("break-report");
		this.frames = frames;
		this.sessions = sessions;
		this.cluster = cluster;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post(PATH, RateLimit.BREAKS, this::share).get(PATH + "/{id}", this::show);
	}

	private Mono<ServerResponse> share(ServerRequest request) {
		return this.sessions.signedIn(request, BreakHandler.PATH,
				(session, sent) -> share(request, session.viewer(), sent.get("ledger")));
	}

	private Mono<ServerResponse> share(ServerRequest request, Viewer viewer, String json) {
		return Mono.fromCallable(() -> JSON.readValue(json, PageStreamReport.class))
			.onErrorResume(JacksonException.class, (error) -> Mono.empty())
			.filter(PageStreamReport::isSound)
			.switchIfEmpty(ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("break.report-unreadable")))
			.flatMap((ledger) -> this.cluster.state()
				.flatMap((state) -> this.cluster
					.keep(BreakReport.of(viewer.id(), System.currentTimeMillis(), ledger, state.breakage()))))
			.flatMap((id) -> HtmlResponses.wantsJson(request)
					? ServerResponse.ok().bodyValue(Map.of("address", PATH + "/" + id))
					: HtmlResponses.seeOther(PATH + "/" + id));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return Mono.just(request.pathVariable("id"))
			.filter((id) -> id.matches("[0-9a-z]{1,20}"))
			.flatMap(this.cluster::report)
			.switchIfEmpty(ProblemException.notFound(Message.of("break.report-missing")))
			.flatMap((report) -> this.frames.of(request.exchange(), Message.of("break.report-title"))
				.flatMap((frame) -> HtmlResponses.page(this.page, BreakReportPage.of(frame, report))));
	}

}
