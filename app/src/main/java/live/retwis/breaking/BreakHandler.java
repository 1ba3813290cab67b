package live.retwis.breaking;

import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.cluster.ClusterFaultKind;
import live.retwis.cluster.ClusterFaultRequest;
import live.retwis.cluster.LocalSiteState;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.logging.InstanceName;
import live.retwis.web.FooterLink;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Shows the parts of the site. Signed-in users can break one thing at a time, and heal
 * it. Scripts get the same as JSON.
 */
@ConditionalOnClusterControl
class BreakHandler implements RouteContributor {

	static final String PATH = "/break";

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final ClusterControlClient cluster;

	private final InstanceName instance;

	BreakHandler(Templates templates, PageFrames frames, SessionReader sessions, ClusterControlClient cluster,
			InstanceName instance) {
		this.page = templates.page("break");
		this.frames = frames;
		this.sessions = sessions;
		this.cluster = cluster;
		this.instance = instance;
	}

	/** Its script watches over the stream of each page. */
	@Bean
	static FooterLink breakLink() {
		return FooterLink.withScript(PATH, Message.of("break.title"), "breaking.js");
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::show)
			.post(PATH, RateLimit.BREAKS,
					(request) -> this.sessions.signedIn(request, PATH, (session) -> begin(request, session.viewer())))
			.post(PATH + "/heal", RateLimit.BREAKS, (request) -> this.sessions.signedIn(request, PATH,
					(session) -> answer(request, this.cluster.heal())));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return this.cluster.state()
			.flatMap((state) -> HtmlResponses.wantsJson(request) ? json(request, state)
					: this.frames.of(request.exchange(), Message.of("break.title"))
						.flatMap((frame) -> HtmlResponses.page(this.page,
								BreakPage.of(frame, state, this.instance.toString()))));
	}

	private Mono<ServerResponse> json(ServerRequest request, LocalSiteState state) {
		return ServerResponse.ok()
			.bodyValue(BreakPage.json(state, this.frames.language(request.exchange()), this.instance.toString()));
	}

	private Mono<ServerResponse> begin(ServerRequest request, Viewer viewer) {
		return SubmittedForm.of(request).flatMap((sent) -> {
			Optional<ClusterFaultKind> kind = ClusterFaultKind.named(sent.get("kind"));
			int seconds = seconds(sent.get("seconds"));
			return (kind.isEmpty() || seconds < 1 || seconds > ClusterFaultRequest.MOST_SECONDS)
					? ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
							Message.of("break.unknown", ClusterFaultRequest.MOST_SECONDS))
					: answer(request, this.cluster
						.begin(new ClusterFaultRequest(kind.get(), sent.get("instance"), seconds, viewer.username())));
		});
	}

	private static int seconds(String text) {
		try {
			return Integer.parseInt(text);
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	private Mono<ServerResponse> answer(ServerRequest request, Mono<LocalSiteState> state) {
		return state
			.flatMap((now) -> HtmlResponses.wantsJson(request) ? json(request, now) : HtmlResponses.seeOther(PATH));
	}

}
