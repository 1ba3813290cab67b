package live.retwis.restriction;

import java.util.List;
import java.util.Map;

import live.retwis.account.SessionReader;
import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.log.LogAdmissionControl;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles the buttons to mute and to block, and to take that back. */
@Component
class RestrictionHandler implements RouteContributor {

	private static final int RETRY_AFTER_SECONDS = 5;

	private final SessionReader sessions;

	private final UsernameRepository usernames;

	private final RestrictionWriter restrictions;

	RestrictionHandler(SessionReader sessions, UsernameRepository usernames, RestrictionWriter restrictions) {
		this.sessions = sessions;
		this.usernames = usernames;
		this.restrictions = restrictions;
	}

	@Override
	public void addTo(RouteTable routes) {
		for (Restriction restriction : Restriction.values()) {
			for (boolean on : List.of(true, false)) {
				routes.post("/@{username}/" + restriction.action(on), RateLimit.RESTRICTIONS,
						(request) -> set(request, restriction, on));
			}
		}
	}

	private Mono<ServerResponse> set(ServerRequest request, Restriction restriction, boolean on) {
		String username = request.pathVariable("username");
		return this.sessions
			.signedIn(request, "/@" + username,
					(session) -> this.usernames.requireUser(username)
						.flatMap((user) -> set(request, restriction, session.viewer(), user, on)))
			.onErrorResume(RestrictionRepository.RestrictionLimitException.class,
					(full) -> ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
							restriction.texts().full().apply(RestrictionRepository.MOST)))
			.onErrorResume(LogAdmissionControl.NotAdmittedException.class,
					(full) -> ProblemException.later(Message.of("error.backlog"), RETRY_AFTER_SECONDS));
	}

	private Mono<ServerResponse> set(ServerRequest request, Restriction restriction, Viewer viewer, User user,
			boolean on) {
		return user.id().equals(viewer.id())
				? ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("restriction.oneself"))
				: this.restrictions.set(restriction, viewer.id(), user.id(), on)
					.then(done(request, restriction, user, on));
	}

	private static Mono<ServerResponse> done(ServerRequest request, Restriction restriction, User user, boolean on) {
		return HtmlResponses.wantsJson(request)
				? ServerResponse.ok().bodyValue(Map.of("username", user.username(), restriction.list(), on))
				: HtmlResponses.seeOther("/@" + user.username());
	}

}
