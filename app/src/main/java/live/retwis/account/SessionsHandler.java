package live.retwis.account;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the list of one's own sessions, and ends some of them. */
@Component
class SessionsHandler implements RouteContributor {

	private static final String PATH = SettingsPage.PATH + "/sessions";

	/** In place of a session's id: all sessions except the one that asks. */
	private static final String OTHERS = "others";

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final SingleSessionRevocation ending;

	private final AuthRotation rotation;

	SessionsHandler(Templates templates, PageFrames frames, SessionReader sessions, SingleSessionRevocation ending,
			AuthRotation rotation) {
		this.page = templates.page("sessions");
		this.frames = frames;
		this.sessions = sessions;
		this.ending = ending;
		this.rotation = rotation;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::list).post(PATH + "/{id}/end", RateLimit.ACCOUNT, this::end);
	}

	private Mono<ServerResponse> list(ServerRequest request) {
		return this.sessions.signedIn(request, (session) -> HtmlResponses.wantsJson(request) ? json(request, session)
				: show(request, ServerResponse.ok(), session, null));
	}

	private Mono<ServerResponse> json(ServerRequest request, Session session) {
		return this.sessions.list(request.exchange(), session)
			.flatMap((listed) -> ServerResponse.ok()
				.bodyValue(new Json(listed.stream().map((one) -> SessionJson.of(one, session)).toList())));
	}

	private Mono<ServerResponse> end(ServerRequest request) {
		String id = request.pathVariable("id");
		return this.sessions.signedIn(request, PATH,
				(session) -> id.equals(OTHERS) ? endOthers(request, session) : endOne(request, session, id));
	}

	/**
	 * Ends one session, and the one that has just taken its place by a renewal. An
	 * unknown id is that of a session that is over already, or of somebody else.
	 */
	private Mono<ServerResponse> endOne(ServerRequest request, Session session, String id) {
		String userId = session.viewer().id();
		if (id.equals(session.publicId())) {
			return this.ending.end(userId, session.tokenHash())
				.then(this.rotation.rotateRenewed(session))
				.then(HtmlResponses.seeOther("/", SessionCookie.clear(request.exchange())));
		}
		return this.ending.endListed(userId, id)
			.delayUntil(this.rotation::rotateRenewed)
			.flatMap((ended) -> HtmlResponses.seeOther(PATH))
			.switchIfEmpty(Mono.defer(() -> show(request, ServerResponse.status(HttpStatus.NOT_FOUND), session,
					Message.of("sessions.missing"))));
	}

	/** Ends all other sessions, listed or not; empty when this one is over. */
	private Mono<ServerResponse> endOthers(ServerRequest request, Session session) {
		return this.rotation.renew(request.exchange(), session, "")
			.flatMap((cookie) -> HtmlResponses.seeOther(PATH, cookie.set(request.exchange())))
			.onErrorResume(AuthRotation.NotRenewedException.class, (ended) -> Mono.empty())
			.onErrorResume(AuthRotation.RotationPausedException.class,
					(paused) -> show(request, SettingsPage.paused(), session, Message.of("sessions.paused")));
	}

	private Mono<ServerResponse> show(ServerRequest request, ServerResponse.BodyBuilder response, Session session,
			@Nullable Localized error) {
		return Mono
			.zip(this.frames.withForms(request.exchange(), Message.of("sessions.title"), session.viewer()),
					this.sessions.list(request.exchange(), session),
					(frame, listed) -> View.of(frame.at(PATH), error, session, listed))
			.flatMap((view) -> HtmlResponses.page(response, this.page, view));
	}

	/**
	 * A session in the list.
	 *
	 * @param current whether it is the one that asks
	 */
	private record SessionView(String id, Localized device, boolean current, String since, Localized sinceText,
			String seen, Localized seenText) {

		static SessionView of(StoredSession session, boolean current) {
			return new SessionView(session.id(), session.userAgent().text(), current, TimeFormat.iso(session.since()),
					TimeFormat.text(session.since()), TimeFormat.iso(session.seen()), TimeFormat.text(session.seen()));
		}

	}

	/** The list for programs. */
	private record Json(List<SessionJson> sessions) {
	}

	/**
	 * A session in the list, for programs.
	 *
	 * @param id the one in the address that ends it
	 * @param browser name of the browser; empty when it is unknown
	 * @param system name of the operating system; empty when it is unknown
	 * @param begunAt ISO 8601 UTC
	 * @param seenAt when it was last seen, ISO 8601 UTC, to within an hour
	 * @param current whether it is the one that asks
	 */
	private record SessionJson(String id, String browser, String system, @JsonProperty("begun_at") String begunAt,
			@JsonProperty("seen_at") String seenAt, boolean current) {

		static SessionJson of(StoredSession session, Session asking) {
			return new SessionJson(session.id(), session.userAgent().browser(), session.userAgent().system(),
					TimeFormat.iso(session.since()), TimeFormat.iso(session.seen()),
					session.tokenHash().equals(asking.tokenHash()));
		}

	}

	private record View(PageFrame frame, @Nullable Localized error, List<SessionView> sessions,
			boolean others) implements PageView {

		static View of(PageFrame frame, @Nullable Localized error, Session current, List<StoredSession> listed) {
			return new View(frame, error,
					listed.stream()
						.map((session) -> SessionView.of(session, session.tokenHash().equals(current.tokenHash())))
						.toList(),
					listed.size() > 1);
		}

	}

}
