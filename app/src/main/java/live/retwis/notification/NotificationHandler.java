package live.retwis.notification;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the viewer's notifications. What the first page shows as unread is read from
 * then on, but not what came while the page was made. Scripts ask how many are unread.
 */
@Component
class NotificationHandler implements RouteContributor {

	/** Header with which a page that fetches itself again names the user it is for. */
	private static final String VIEWER = "Retwis-Viewer";

	private static final String PATH = "/notifications";

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final NotificationPageReader pages;

	private final NotificationRepository notifications;

	NotificationHandler(Templates templates, PageFrames frames, SessionReader sessions, NotificationPageReader pages,
			NotificationRepository notifications) {
		this.page = templates.page("notifications");
		this.frames = frames;
		this.sessions = sessions;
		this.pages = pages;
		this.notifications = notifications;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::list).get(PATH + "/unread", this::unread);
	}

	private Mono<ServerResponse> list(ServerRequest request) {
		return this.sessions.signedIn(request, (session) -> list(request, session.viewer(),
				CursorParameter.of(request, Keys.notifications(session.viewer().id()))));
	}

	/**
	 * HEAD marks nothing as read, and neither do older pages, nor a page that a browser
	 * loads ahead, nor the page of a user after whom another one has logged in with the
	 * same browser.
	 */
	private Mono<ServerResponse> list(ServerRequest request, Viewer viewer, Optional<Cursor> before) {
		boolean reads = before.isEmpty() && request.method().equals(HttpMethod.GET)
				&& request.headers().header("Sec-Purpose").stream().noneMatch((purpose) -> purpose.contains("prefetch"))
				&& request.headers().header(VIEWER).stream().allMatch(viewer.id()::equals);
		return this.pages.read(viewer, before)
			.flatMap((page) -> (reads && page.unread() > 0) ? answerAndMarkRead(request, viewer, page)
					: answer(request, reads ? viewer.withoutUnread() : viewer, page, before.isPresent()));
	}

	/**
	 * Marks what the page has as read, once it is rendered. While the node takes no
	 * writes, the page is shown, and all stays unread.
	 */
	private Mono<ServerResponse> answerAndMarkRead(ServerRequest request, Viewer viewer, NotificationPage page) {
		return answer(request, viewer.withoutUnread(), page, false)
			.delayUntil((rendered) -> this.pages.markRead(viewer, page))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> answer(request, viewer, page, false));
	}

	private Mono<ServerResponse> answer(ServerRequest request, Viewer viewer, NotificationPage page, boolean older) {
		return HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(page.json())
				: show(request, viewer, page, older);
	}

	private Mono<ServerResponse> show(ServerRequest request, Viewer viewer, NotificationPage page, boolean older) {
		@Nullable String next = (page.older() != null) ? PATH + "?" + CursorParameter.PARAMETER + "=" + page.older() : null;
		return this.frames.of(request.exchange(), Message.of("notification.title"), Optional.of(viewer), null)
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, page.notifications(), next, older ? PATH : null)));
	}

	private Mono<ServerResponse> unread(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> this.notifications.unread(viewer.id()))
			.flatMap((unread) -> ServerResponse.ok().bodyValue(Map.of("unread", unread.count())))
			.switchIfEmpty(Mono.defer(() -> ServerResponse.status(HttpStatus.UNAUTHORIZED).build()));
	}

	private record View(PageFrame frame, List<NotificationView> notifications, @Nullable String older,
			@Nullable String newest) implements PageView {

		boolean newestPage() {
			return this.newest == null;
		}

	}

}
