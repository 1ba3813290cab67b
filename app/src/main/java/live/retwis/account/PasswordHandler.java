package live.retwis.account;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.RetryAfter;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SubmittedForm;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles the form to change one's password. All other sessions of the user end. */
@Component
class PasswordHandler implements RouteContributor {

	/** Says that the password is changed. */
	private static final String CHANGED = SettingsPage.PATH + "?" + SettingsPage.PASSWORD_CHANGED;

	private static final String UNSURE = SettingsPage.PATH + "?" + SettingsPage.PASSWORD_UNSURE;

	private final SettingsPage page;

	private final SessionReader sessions;

	private final PasswordConfirmation confirmation;

	private final PasswordRules rules;

	private final PasswordHasher passwords;

	private final AuthRotation rotation;

	PasswordHandler(SettingsPage page, SessionReader sessions, PasswordConfirmation confirmation, PasswordRules rules,
			PasswordHasher passwords, AuthRotation rotation) {
		this.page = page;
		this.sessions = sessions;
		this.confirmation = confirmation;
		this.rules = rules;
		this.passwords = passwords;
		this.rotation = rotation;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post(SettingsPage.PATH + "/password", RateLimit.ACCOUNT, this::change)
			.counting(RateLimit.WRONG_PASSWORDS);
	}

	private Mono<ServerResponse> change(ServerRequest request) {
		return this.sessions.signedIn(request, SettingsPage.PATH, (session, sent) -> change(request, session, sent));
	}

	/** Changes the password; empty when the session is over. */
	private Mono<ServerResponse> change(ServerRequest request, Session session, SubmittedForm sent) {
		PasswordForm form = PasswordForm.of(sent, session.viewer().username(), this.rules);
		if (!form.isRight()) {
			return show(request, ServerResponse.unprocessableContent(), session, form);
		}
		return this.confirmation.isRight(session, sent.get("old"))
			.flatMap((right) -> right ? store(request, session, sent.get("password"))
					: show(request, ServerResponse.unprocessableContent(), session, PasswordForm.wrongOld()))
			.onErrorResume(AuthRotation.NotRenewedException.class,
					(ended) -> SignInRedirect.first(request, ended.isMade() ? CHANGED : UNSURE))
			.onErrorResume(AuthRotation.RotationPausedException.class,
					(paused) -> show(request, SettingsPage.paused(), session,
							PasswordForm.refused(Message.of("settings.password-paused"))))
			.onErrorResume(PasswordGuessLimit.TooManyGuessesException.class,
					(tooMany) -> show(request, SettingsPage.limited(tooMany.waitTime()), session,
							PasswordForm.refused(RetryAfter.text(tooMany.waitTime()))));
	}

	private Mono<ServerResponse> store(ServerRequest request, Session session, String password) {
		return this.passwords.encode(password)
			.contextWrite(PasswordHasher.KNOWN_BROWSER)
			.flatMap((encoded) -> this.rotation.renew(request.exchange(), session, encoded))
			.flatMap((cookie) -> HtmlResponses.seeOther(CHANGED, cookie.set(request.exchange())));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Session session,
			PasswordForm form) {
		return this.page.show(request, response, session.viewer(), (forms) -> forms.with(form));
	}

}
