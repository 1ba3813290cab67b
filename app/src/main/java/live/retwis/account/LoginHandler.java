package live.retwis.account;

import live.retwis.account.AuthRotation.Ended;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ReturnAddress;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles logging in and out. */
@Component
class LoginHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final LoginFormProcessor logins;

	private final AuthRotation rotation;

	LoginHandler(Templates templates, PageFrames frames, SessionReader sessions, LoginFormProcessor logins,
			AuthRotation rotation) {
		this.page = templates.page("login");
		this.frames = frames;
		this.sessions = sessions;
		this.logins = logins;
		this.rotation = rotation;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/login", this::form)
			.post("/login", RateLimit.LOGINS, this::login)
			.counting(RateLimit.WRONG_PASSWORDS, RateLimit.WRONG_PASSWORDS_BY_ADDRESS)
			.post("/logout", RateLimit.ACCOUNT, this::logout);
	}

	private Mono<ServerResponse> form(ServerRequest request) {
		String next = ReturnAddress.or(request.queryParam("next").orElse(""), "/home");
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> HtmlResponses.seeOther(next))
			.switchIfEmpty(Mono.defer(() -> show(request, ServerResponse.ok(), LoginForm.fresh(next))));
	}

	private Mono<ServerResponse> login(ServerRequest request) {
		return SubmittedForm.of(request)
			.flatMap((sent) -> this.logins.take(request.exchange(), sent)
				.flatMap((refusal) -> show(request, refusal.response(), refusal.form()))
				.switchIfEmpty(Mono.defer(() -> HtmlResponses.seeOther(ReturnAddress.or(sent.get("next"), "/home")))));
	}

	/**
	 * Logs out. Repeating it is harmless: if the session is already over, only the cookie
	 * is cleared, unless another tab has just renewed it.
	 */
	private Mono<ServerResponse> logout(ServerRequest request) {
		return this.sessions.find(request.exchange())
			.flatMap(this.rotation::rotate)
			.switchIfEmpty(Mono.defer(() -> this.rotation.rotateRenewed(request.exchange())))
			.flatMap((ended) -> HtmlResponses.seeOther((ended == Ended.HERE) ? "/?" + WelcomeHandler.ENDED_HERE : "/",
					SessionCookie.clear(request.exchange())));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, LoginForm form) {
		return this.frames.withForms(request.exchange(), Message.of("login.title"), null)
			.flatMap((frame) -> HtmlResponses.page(response, this.page, new LoginView(frame, form)));
	}

	private record LoginView(PageFrame frame, LoginForm login) implements PageView {
	}

}
