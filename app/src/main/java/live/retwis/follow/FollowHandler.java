package live.retwis.follow;

import java.util.function.BiFunction;

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
import live.retwis.web.SignInRedirect;
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
		routes.post("/@{username}/follow", RateLimit.FOLLOWS, (request) -> change(request, this.follows::follow))
			.post("/@{username}/unfollow", RateLimit.FOLLOWS, (request) -> change(request, this.follows::unfollow));
	}

	private Mono<ServerResponse> change(ServerRequest request, BiFunction<String, String, Mono<Void>> change) {
		String profile = "/@" + request.pathVariable("username");
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> this.usernames.requireUser(request.pathVariable("username"))
				.flatMap((user) -> user.id().equals(viewer.id())
						? ProblemException.<ServerResponse>of(HttpStatus.UNPROCESSABLE_CONTENT,
								Message.of("follow.oneself"))
						: change.apply(viewer.id(), user.id())
							.then(HtmlResponses.seeOther(back(request, user)))
							.onErrorResume(BlockedException.class, (blocked) -> refuse(user, blocked))))
			.onErrorResume(FollowLimitException.class,
					(full) -> ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
							Message.of("follow.limit", full.limit())))
			.onErrorResume(LogAdmissionControl.NotAdmittedException.class,
					(full) -> ProblemException.later(Message.of("follow.busy"), RETRY_AFTER_SECONDS))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, profile)));
	}

	/** The page that has the button, such as a list of users; else the user's profile. */
	private static String back(ServerRequest request, User user) {
		return ReturnAddress.ofReferer(request, "/@" + user.username());
	}

	private static Mono<ServerResponse> refuse(User user, BlockedException blocked) {
		return ProblemException.forbidden(blocked.isByUser() ? Message.of("follow.unblock-first", user.username())
				: Message.of("follow.blocked", user.username()));
	}

}
