package live.retwis.follow;

import java.util.Map;

import live.retwis.account.SessionReader;
import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.log.LogAdmissionControl;
import live.retwis.restriction.BlockedException;
import live.retwis.web.HtmlResponses;
import live.retwis.web.ProblemException;
import live.retwis.web.ReturnAddress;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles the buttons to follow and to unfollow. */
@Component
class FollowHandler implements RouteContributor {

	private static final int RETRY_AFTER_SECONDS = 5;

	private final SessionReader sessions;

	private final UsernameRepository usernames;

	private final FollowWriter follows;

	FollowHandler(SessionReader sessions, UsernameRepository usernames, FollowWriter follows) {
		this.sessions = sessions;
		this.usernames = usernames;
		this.follows = follows;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post("/@{username}/follow", RateLimit.FOLLOWS, (request) -> change(request, true))
			.post("/@{username}/unfollow", RateLimit.FOLLOWS, (request) -> change(request, false));
	}

	private Mono<ServerResponse> change(ServerRequest request, boolean follow) {
		String username = request.pathVariable("username");
		return this.sessions
			.signedIn(request, "/@" + username,
					(session) -> this.usernames.requireUser(username)
						.flatMap((user) -> user.id().equals(session.viewer().id())
								? ProblemException.<ServerResponse>of(HttpStatus.UNPROCESSABLE_CONTENT,
										Message.of("follow.oneself"))
								: change(session.viewer().id(), user.id(), follow).then(done(request, user, follow))
									.onErrorResume(BlockedException.class, (blocked) -> refuse(user, blocked))))
			.onErrorResume(FollowLimitException.class,
					(full) -> ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
							Message.of("follow.limit", full.limit())))
			.onErrorResume(LogAdmissionControl.NotAdmittedException.class,
					(full) -> ProblemException.later(Message.of("error.backlog"), RETRY_AFTER_SECONDS));
	}

	private Mono<Void> change(String followerId, String followedId, boolean follow) {
		return follow ? this.follows.follow(followerId, followedId) : this.follows.unfollow(followerId, followedId);
	}

	/**
	 * Back to the page that has the button, such as a list of users; else to the user's
	 * profile.
	 */
	private static Mono<ServerResponse> done(ServerRequest request, User user, boolean follow) {
		return HtmlResponses.wantsJson(request)
				? ServerResponse.ok().bodyValue(Map.of("username", user.username(), "following", follow))
				: HtmlResponses.seeOther(ReturnAddress.ofReferer(request, "/@" + user.username()));
	}

	private static Mono<ServerResponse> refuse(User user, BlockedException blocked) {
		return ProblemException.forbidden(blocked.isByUser() ? Message.of("follow.unblock-first", user.username())
				: Message.of("follow.blocked", user.username()));
	}

}
