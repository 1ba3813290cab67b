package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.RetryAfter;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Handles the form to delete one's account. */
@Component
class AccountDeletionHandler implements RouteContributor {

	private final SettingsPage page;

	private final SessionReader sessions;

	private final AccountDeletion deletion;

	AccountDeletionHandler(SettingsPage page, SessionReader sessions, AccountDeletion deletion) {
		this.page = page;
		this.sessions = sessions;
		this.deletion = deletion;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.post(SettingsPage.PATH + "/delete", RateLimit.ACCOUNT, this::delete).counting(RateLimit.WRONG_PASSWORDS);
	}

	private Mono<ServerResponse> delete(ServerRequest request) {
		return this.sessions.signedIn(request, SettingsPage.PATH,
				(session, sent) -> delete(request, session, sent.get("password")));
	}

	/** Deletes the account; empty when the session is over. */
	private Mono<ServerResponse> delete(ServerRequest request, Session session, String password) {
		if (password.isEmpty()) {
			return wrong(request, session, Message.of("settings.password-missing"));
		}
		return this.deletion.delete(session, password).flatMap((outcome) -> switch (outcome) {
			case DELETED ->
				HtmlResponses.seeOther("/?" + WelcomeHandler.DELETED, SessionCookie.clear(request.exchange()));
			case WRONG_PASSWORD -> wrong(request, session, Message.of("settings.password-wrong"));
			case SIGNED_OUT -> Mono.<ServerResponse>empty();
			case PAUSED -> show(request, SettingsPage.paused(), session,
					DeletionForm.refused(Message.of("settings.delete-paused")));
		})
			.onErrorResume(PasswordGuessLimit.TooManyGuessesException.class,
					(tooMany) -> show(request, SettingsPage.limited(tooMany.waitTime()), session,
							DeletionForm.refused(RetryAfter.text(tooMany.waitTime()))));
	}

	private Mono<ServerResponse> wrong(ServerRequest request, Session session, Localized error) {
		return show(request, ServerResponse.unprocessableContent(), session, DeletionForm.wrongPassword(error));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Session session,
			DeletionForm form) {
		return this.page.show(request, response, session.viewer(), (forms) -> forms.with(form));
	}

}
