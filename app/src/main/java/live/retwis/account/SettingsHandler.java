package live.retwis.account;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.log.LogAdmissionControl;
import live.retwis.picture.PictureRefusedException;
import live.retwis.picture.UploadedPictureConverter;
import live.retwis.redis.DataNodeFullException;
import live.retwis.web.HtmlResponses;
import live.retwis.web.RetryAfter;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.UploadedFile;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the page on which users manage their own account. */
@Component
class SettingsHandler implements RouteContributor {

	private final SettingsPage page;

	private final SessionReader sessions;

	private final ProfileUpdater profiles;

	private final UploadedPictureConverter pictures;

	private final RateLimiter limiter;

	SettingsHandler(SettingsPage page, SessionReader sessions, ProfileUpdater profiles,
			UploadedPictureConverter pictures, RateLimiter limiter) {
		this.page = page;
		this.sessions = sessions;
		this.profiles = profiles;
		this.pictures = pictures;
		this.limiter = limiter;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(SettingsPage.PATH, this::settings)
			.post(SettingsPage.PATH + "/profile", RateLimit.PROFILE, this::profile)
			.counting(RateLimit.UPLOADS);
	}

	private Mono<ServerResponse> settings(ServerRequest request) {
		return this.sessions.signedIn(request,
				(session) -> this.page.show(request, ServerResponse.ok(), session.viewer(), UnaryOperator.identity()));
	}

	private Mono<ServerResponse> profile(ServerRequest request) {
		return this.sessions.signedIn(request, SettingsPage.PATH,
				(session, sent) -> profile(request, session.viewer(), sent, ProfileForm.of(sent)));
	}

	private Mono<ServerResponse> profile(ServerRequest request, Viewer viewer, SubmittedForm sent, ProfileForm form) {
		Optional<UploadedFile> file = sent.file("picture");
		if (file.isPresent() && !file.get().whole()) {
			return show(request, ServerResponse.status(HttpStatus.CONTENT_TOO_LARGE), viewer,
					form.pictureRefused(Message.of("settings.picture-large", UploadedFile.MOST_BYTES / 1024)));
		}
		if (!form.isRight()) {
			return show(request, ServerResponse.unprocessableContent(), viewer, form);
		}
		return allowed(viewer, file).flatMap((wait) -> wait.isZero() ? change(request, viewer, file, form)
				: show(request, SettingsPage.limited(wait), viewer, form.pictureRefused(RetryAfter.text(wait))));
	}

	/** How long to wait until this user may send a file; zero without one. */
	private Mono<Duration> allowed(Viewer viewer, Optional<UploadedFile> file) {
		return file.isPresent() ? this.limiter.take(RateLimit.UPLOADS, viewer.id()) : Mono.just(Duration.ZERO);
	}

	private Mono<ServerResponse> change(ServerRequest request, Viewer viewer, Optional<UploadedFile> file,
			ProfileForm form) {
		return picture(viewer, file, form)
			.flatMap((picture) -> this.profiles
				.change(viewer.id(), form.shownName(viewer.username()), form.bio().value(), picture)
				.then(HtmlResponses.seeOther(SettingsPage.PATH + "?" + SettingsPage.PROFILE_CHANGED)))
			.onErrorResume(PictureRefusedException.class,
					(refused) -> show(request, ServerResponse.unprocessableContent(), viewer,
							form.pictureRefused(refused.text())))
			.onErrorResume(SettingsHandler::isBusy,
					(full) -> show(request, SettingsPage.paused(), viewer,
							form.refused(Message.of("settings.profile-busy"))))
			.onErrorResume(DataNodeFullException.class,
					(full) -> show(request, ServerResponse.status(HttpStatus.INSUFFICIENT_STORAGE), viewer,
							form.refused(Message.of("settings.profile-full"))));
	}

	/** A file that was chosen counts also when the picture is to be removed. */
	private Mono<PictureChange> picture(Viewer viewer, Optional<UploadedFile> file, ProfileForm form) {
		return file.isPresent() ? this.pictures.read(viewer.id(), file.get().content()).map(PictureChange::to)
				: Mono.just(form.picture().removed() ? PictureChange.REMOVAL : PictureChange.NONE);
	}

	private static boolean isBusy(Throwable error) {
		return error instanceof LogAdmissionControl.NotAdmittedException
				|| error instanceof UploadedPictureConverter.PictureConverterBusyException;
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Viewer viewer,
			ProfileForm form) {
		return this.page.show(request, response, viewer, (forms) -> forms.with(form));
	}

}
