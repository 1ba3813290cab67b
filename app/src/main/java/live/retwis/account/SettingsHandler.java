package live.retwis.account;

import java.util.function.UnaryOperator;

import live.retwis.i18n.Message;
import live.retwis.log.LogBacklog;
import live.retwis.web.HtmlResponses;
import live.retwis.web.SentForm;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the page on which users manage their own account. */
@Component
class SettingsHandler implements SiteRoutes {

	private final SettingsPage page;

	private final Sessions sessions;

	private final ProfileChange profiles;

	SettingsHandler(SettingsPage page, Sessions sessions, ProfileChange profiles) {
		this.page = page;
		this.sessions = sessions;
		this.profiles = profiles;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(SettingsPage.PATH, this::settings).post(SettingsPage.PATH + "/profile", this::profile);
	}

	private Mono<ServerResponse> settings(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> this.page.show(request, ServerResponse.ok(), viewer, UnaryOperator.identity()))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> profile(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> SentForm.of(request).flatMap((sent) -> profile(request, viewer, ProfileForm.of(sent))))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request, SettingsPage.PATH)));
	}

	private Mono<ServerResponse> profile(ServerRequest request, Viewer viewer, ProfileForm form) {
		if (!form.isRight()) {
			return show(request, ServerResponse.unprocessableContent(), viewer, form);
		}
		return this.profiles.change(viewer.id(), form.shownName(viewer.username()), form.bio().value())
			.then(HtmlResponses.seeOther(SettingsPage.PATH + "?" + SettingsPage.PROFILE_CHANGED))
			.onErrorResume(LogBacklog.Overloaded.class, (full) -> show(request, SettingsPage.paused(), viewer,
					form.refused(Message.of("settings.profile-busy"))));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Viewer viewer,
			ProfileForm form) {
		return this.page.show(request, response, viewer, (forms) -> forms.with(form));
	}

}
