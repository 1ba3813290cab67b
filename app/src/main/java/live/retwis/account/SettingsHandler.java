package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.FormField;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.SentForm;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the page on which users manage their own account. */
@Component
class SettingsHandler implements SiteRoutes {

	private static final String PATH = "/settings";

	private static final String RETRY_AFTER_SECONDS = "5";

	private final PageTemplate page;

	private final PageFrames frames;

	private final Sessions sessions;

	private final AccountDeletion deletion;

	SettingsHandler(Templates templates, PageFrames frames, Sessions sessions, AccountDeletion deletion) {
		this.page = templates.page("settings");
		this.frames = frames;
		this.sessions = sessions;
		this.deletion = deletion;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, this::settings).post(PATH + "/delete", this::delete);
	}

	private Mono<ServerResponse> settings(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> show(request, ServerResponse.ok(), viewer, Deletion.FRESH))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> delete(ServerRequest request) {
		return this.sessions.find(request.exchange())
			.flatMap(
					(session) -> SentForm.of(request).flatMap((sent) -> delete(request, session, sent.get("password"))))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, PATH)));
	}

	/** Deletes the account; empty when the session is over. */
	private Mono<ServerResponse> delete(ServerRequest request, Session session, String password) {
		if (password.isEmpty()) {
			return wrong(request, session, Message.of("settings.password-missing"));
		}
		return this.deletion.delete(request.exchange(), session, password).flatMap((outcome) -> switch (outcome) {
			case DELETED ->
				HtmlResponses.seeOther("/?" + WelcomeHandler.DELETED, SessionCookie.clear(request.exchange()));
			case WRONG_PASSWORD -> wrong(request, session, Message.of("settings.password-wrong"));
			case SIGNED_OUT -> Mono.<ServerResponse>empty();
			case PAUSED -> show(request, later(HttpStatus.SERVICE_UNAVAILABLE, RETRY_AFTER_SECONDS), session.viewer(),
					Deletion.not(Message.of("settings.delete-paused")));
		})
			.onErrorResume(Login.TooManyTries.class,
					(tries) -> show(request, later(HttpStatus.TOO_MANY_REQUESTS, Long.toString(tries.seconds())),
							session.viewer(), Deletion.not(Message.of("login.too-many", tries.seconds()))));
	}

	private static ServerResponse.BodyBuilder later(HttpStatus status, String seconds) {
		return ServerResponse.status(status).header(HttpHeaders.RETRY_AFTER, seconds);
	}

	private Mono<ServerResponse> wrong(ServerRequest request, Session session, Localized error) {
		return show(request, ServerResponse.unprocessableContent(), session.viewer(),
				new Deletion(new FormField("", error), null));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Viewer viewer,
			Deletion deletion) {
		return this.frames.withForms(request.exchange(), Message.of("settings.title"), viewer)
			.flatMap((frame) -> HtmlResponses.page(response, this.page, new View(frame, deletion)));
	}

	/**
	 * The form to delete the account.
	 *
	 * @param password never kept
	 * @param error an error of the form as a whole; null for none
	 */
	private record Deletion(FormField password, @Nullable Localized error) {

		static final Deletion FRESH = new Deletion(FormField.EMPTY, null);

		static Deletion not(Localized why) {
			return new Deletion(FormField.EMPTY, why);
		}

	}

	private record View(PageFrame frame, Deletion deletion) implements PageView {
	}

}
