package live.retwis.post;

import java.util.Map;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles deleting posts. */
@Component
class PostDeletionHandler implements RouteContributor {

	private final SessionReader sessions;

	private final PostDeletion deletion;

	PostDeletionHandler(SessionReader sessions, PostDeletion deletion) {
		this.sessions = sessions;
		this.deletion = deletion;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post("/posts/{id}/delete", RateLimit.DELETIONS, this::delete);
	}

	private Mono<ServerResponse> delete(ServerRequest request) {
		String postId = request.pathVariable("id");
		if (!TimeSortedIdGenerator.isValid(postId)) {
			return ProblemException.notFound(Message.of("post.missing"));
		}
		return this.sessions.signedIn(request, "/posts/" + postId,
				(session) -> this.deletion.delete(postId, session.viewer().id())
					.flatMap((deletion) -> switch (deletion) {
						case DONE, BEFORE -> done(request, postId);
						case OTHER -> ProblemException.<ServerResponse>forbidden(Message.of("post.delete-forbidden"));
						case GONE -> ProblemException.<ServerResponse>notFound(Message.of("post.missing"));
					}));
	}

	private static Mono<ServerResponse> done(ServerRequest request, String postId) {
		return HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(Map.of("post", postId, "deleted", true))
				: HtmlResponses.seeOther("/home");
	}

}
