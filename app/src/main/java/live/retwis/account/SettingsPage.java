package live.retwis.account;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.Avatar;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RetryAfter;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** The page on which users manage their own account. Each of its forms has a handler. */
@Component
class SettingsPage {

	static final String PATH = "/settings";

	/** Query parameter after a change of the profile. */
	static final String PROFILE_CHANGED = "profile-changed";

	/** Query parameter after a change of the password. */
	static final String PASSWORD_CHANGED = "password-changed";

	/** Query parameter after a change of the password that may be lost. */
	static final String PASSWORD_UNSURE = "password-unsure";

	/** Lock nodes and workers are usually back within seconds. */
	private static final long RETRY_AFTER_SECONDS = 5;

	private final PageTemplate page;

	private final PageFrames frames;

	private final UserRepository users;

	SettingsPage(Templates templates, PageFrames frames, UserRepository users) {
		this.page = templates.page("settings");
		this.frames = frames;
		this.users = users;
	}

	/**
	 * Shows the page; empty when the user has just deleted the account.
	 * @param response status and headers
	 * @param change replaces the form that was sent
	 */
	Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Viewer viewer,
			UnaryOperator<SettingsForms> change) {
		return Mono.zip(this.frames.withForms(request.exchange(), Message.of("settings.title"), viewer),
				this.users.findById(viewer.id()),
				(frame, user) -> HtmlResponses.page(response, this.page,
						new View(frame.at(PATH), user.avatar(), change.apply(SettingsForms.of(user)), notice(request))))
			.flatMap(Function.identity());
	}

	private static @Nullable Localized notice(ServerRequest request) {
		if (request.queryParam(PROFILE_CHANGED).isPresent()) {
			return Message.of("settings.profile-changed");
		}
		if (request.queryParam(PASSWORD_UNSURE).isPresent()) {
			return Message.of("settings.password-unsure");
		}
		return request.queryParam(PASSWORD_CHANGED).isPresent() ? Message.of("settings.password-changed") : null;
	}

	/** A response for a write that has to wait for lock nodes or for workers. */
	static ServerResponse.BodyBuilder paused() {
		return later(HttpStatus.SERVICE_UNAVAILABLE, RETRY_AFTER_SECONDS);
	}

	/** A response for somebody who has sent too many wrong passwords. */
	static ServerResponse.BodyBuilder limited(Duration wait) {
		return later(HttpStatus.TOO_MANY_REQUESTS, RetryAfter.seconds(wait));
	}

	private static ServerResponse.BodyBuilder later(HttpStatus status, long seconds) {
		return ServerResponse.status(status).header(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
	}

	private record View(PageFrame frame, Avatar avatar, SettingsForms forms,
			@Nullable Localized notice) implements PageView {
	}

}
