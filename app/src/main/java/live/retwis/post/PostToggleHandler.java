package live.retwis.post;

import java.util.List;
import java.util.Map;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.log.LogAdmissionControl;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.ReturnAddress;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the buttons that do something to a post and take it back, and tells scripts to
 * which posts the viewer has done it.
 */
@Component
class PostToggleHandler implements RouteContributor {

	private static final int RETRY_AFTER_SECONDS = 5;

	private final SessionReader sessions;

	private final RenderedPosts posts;

	private final List<PostToggle> toggles;

	PostToggleHandler(SessionReader sessions, RenderedPosts posts, List<PostToggle> toggles) {
		this.sessions = sessions;
		this.posts = posts;
		this.toggles = toggles;
	}

	@Override
	public void addTo(RouteTable routes) {
		for (PostToggle toggle : this.toggles) {
			for (boolean on : List.of(true, false)) {
				String path = "/posts/{id}/" + toggle.action(on);
				routes.post(path, toggle.limit(), (request) -> set(request, toggle, on)).get(path, this::signIn);
			}
		}
		routes.get("/reactions", RateLimit.REACTIONS, this::mine);
	}

	private Mono<ServerResponse> set(ServerRequest request, PostToggle toggle, boolean on) {
		return this.sessions
			.signedIn(request, page(request),
					(session) -> this.posts.findOrFail(request.pathVariable("id"))
						.map(RenderedPost::post)
						.flatMap((post) -> toggle.set(session.viewer(), post, on)
							.flatMap((changed) -> done(request, post, toggle, on, changed))))
			.onErrorResume(LogAdmissionControl.NotAdmittedException.class,
					(full) -> ProblemException.later(Message.of("error.backlog"), RETRY_AFTER_SECONDS));
	}

	/** Back to the page on which the button was, at the post. */
	private static Mono<ServerResponse> done(ServerRequest request, Post post, PostToggle toggle, boolean on,
			boolean changed) {
		return HtmlResponses.wantsJson(request)
				? ServerResponse.ok().bodyValue(Map.of("post", post.id(), toggle.name(), on, "changed", changed))
				: HtmlResponses.seeOther(ReturnAddress.ofReferer(request, page(request)) + "#post-" + post.id());
	}

	/** The button of a page that nobody is signed in to leads here. */
	private Mono<ServerResponse> signIn(ServerRequest request) {
		return !TimeSortedIdGenerator.isValid(request.pathVariable("id"))
				? ProblemException.notFound(Message.of("post.missing"))
				: this.sessions.signedIn(request, page(request), (session) -> HtmlResponses.seeOther(page(request)));
	}

	private static String page(ServerRequest request) {
		return "/posts/" + request.pathVariable("id");
	}

	/**
	 * Of the posts asked about, those to which the viewer has done something, by what it
	 * is, as JSON.
	 */
	private Mono<ServerResponse> mine(ServerRequest request) {
		List<String> postIds = TimeSortedIdGenerator.namedIn(request.queryParam("posts").orElse(""));
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> Flux.fromIterable(this.toggles)
				.flatMap((toggle) -> toggle.among(viewer.id(), postIds).map((mine) -> Map.entry(toggle.name(), mine)))
				.collectMap(Map.Entry::getKey, Map.Entry::getValue))
			.flatMap((mine) -> ServerResponse.ok().bodyValue(mine))
			.switchIfEmpty(Mono.defer(() -> ServerResponse.status(HttpStatus.UNAUTHORIZED).build()));
	}

}
