package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the page for visitors who are not logged in, with the forms to register and to
 * log in.
 */
@Component
class WelcomeHandler implements RouteContributor {

	/**
	 * Parameter of the welcome page after a log-out that ended only the current session.
	 */
	static final String ENDED_HERE = "ended-here";

	/** Parameter of the welcome page after the deletion of an account. */
	static final String DELETED = "deleted";

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final PublicRegistration registration;

	WelcomeHandler(Templates templates, PageFrames frames, SessionReader sessions, PublicRegistration registration) {
		this.page = templates.page("welcome");
		this.frames = frames;
		this.sessions = sessions;
		this.registration = registration;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/", this::welcome);
	}

	private Mono<ServerResponse> welcome(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> HtmlResponses.seeOther("/home"))
			.switchIfEmpty(Mono.defer(() -> Mono
				.zip(this.frames.withForms(request.exchange(), Localized.verbatim("Retwis Live"), null),
						this.registration.isOpen(),
						(frame, open) -> new WelcomeView(frame, open ? RegisterForm.fresh("/home") : null,
								LoginForm.fresh("/home"), request.queryParam(ENDED_HERE).isPresent(),
								request.queryParam(DELETED).isPresent()))
				.flatMap((view) -> HtmlResponses.page(this.page, view))));
	}

	private record WelcomeView(PageFrame frame, @Nullable RegisterForm register, LoginForm login, boolean endedHere,
			boolean deleted) implements PageView {
	}

}
