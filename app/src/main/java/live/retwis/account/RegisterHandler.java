package live.retwis.account;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ReturnAddress;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles registration. */
@Component
class RegisterHandler implements RouteContributor {

	/** Lock nodes are usually back within seconds. */
	private static final String RETRY_AFTER_SECONDS = "5";

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final SessionLifecycle lifecycle;

	private final PublicRegistration registration;

	private final PasswordRules passwords;

	RegisterHandler(Templates templates, PageFrames frames, SessionReader sessions, SessionLifecycle lifecycle,
			PublicRegistration registration, PasswordRules passwords) {
		this.page = templates.page("register");
		this.frames = frames;
		this.sessions = sessions;
		this.lifecycle = lifecycle;
		this.registration = registration;
		this.passwords = passwords;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/register", this::form).post("/register", RateLimit.REGISTRATIONS, this::register);
	}

	private Mono<ServerResponse> form(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> HtmlResponses.seeOther("/home"))
			.switchIfEmpty(this.registration.requireOpen()
				.then(Mono.defer(() -> show(request, ServerResponse.ok(),
						RegisterForm.fresh(ReturnAddress.or(request.queryParam("next").orElse(""), "/home"))))));
	}

	private Mono<ServerResponse> register(ServerRequest request) {
		return this.registration.requireOpen().then(SubmittedForm.of(request)).flatMap((sent) -> {
			RegisterForm form = RegisterForm.of(sent, this.passwords);
			if (!form.isRight()) {
				return show(request, ServerResponse.unprocessableContent(), form);
			}
			return this.registration.register(form.username().value(), sent.get("password"))
				.flatMap((user) -> registered(request, form, user))
				.onErrorResume(Registration.NameTakenException.class, (taken) -> taken(request, form))
				.onErrorResume(Registration.RegistrationPausedException.class, (paused) -> paused(request, form))
				.onErrorResume(DataNodeFullException.class, (full) -> full(request, form));
		});
	}

	/** If no session can be opened, the user logs in. */
	private Mono<ServerResponse> registered(ServerRequest request, RegisterForm form, User user) {
		return this.lifecycle.open(request.exchange(), user.id(), "1")
			.flatMap((cookie) -> HtmlResponses.seeOther(form.next(), cookie.set(request.exchange())))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> SignInRedirect.to(request, form.next()));
	}

	private Mono<ServerResponse> taken(ServerRequest request, RegisterForm form) {
		return show(request, ServerResponse.status(HttpStatus.CONFLICT), form.taken());
	}

	private Mono<ServerResponse> paused(ServerRequest request, RegisterForm form) {
		return show(request, ServerResponse.status(HttpStatus.SERVICE_UNAVAILABLE)
			.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS), form.refused(Message.of("register.paused")));
	}

	private Mono<ServerResponse> full(ServerRequest request, RegisterForm form) {
		return show(request, ServerResponse.status(HttpStatus.INSUFFICIENT_STORAGE),
				form.refused(Message.of("register.full")));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, RegisterForm form) {
		return this.frames.withForms(request.exchange(), Message.of("register.title"), null)
			.flatMap((frame) -> HtmlResponses.page(response, this.page, new RegisterView(frame, form)));
	}

	private record RegisterView(PageFrame frame, RegisterForm register) implements PageView {
	}

}
