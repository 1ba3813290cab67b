package live.retwis.timeline;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import live.retwis.account.ListedPerson;
import live.retwis.account.SessionReader;
import live.retwis.files.FileChangeListener;
import live.retwis.follow.Suggestions;
import live.retwis.i18n.Language;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.ComposeForms;
import live.retwis.post.ComposeView;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageSkeleton;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the home timeline. */
@Component
class HomeTimelineHandler implements RouteContributor, FileChangeListener {

	private static final int PAGE = 20;

	private static final String PATH = "/home";

	private static final String STREAM = "/live/home";

	private static final Message TITLE = Message.of("home.title");

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final TimelinePageReader timelines;

	private final ComposeForms compose;

	private final Suggestions suggestions;

	private final Map<Shape, PageSkeleton> pages = new ConcurrentHashMap<>();

	HomeTimelineHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers,
			TimelinePageReader timelines, ComposeForms compose, Suggestions suggestions) {
		this.page = templates.page("home");
		this.frames = frames;
		this.viewers = viewers;
		this.timelines = timelines;
		this.compose = compose;
		this.suggestions = suggestions;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::home).counting(RateLimit.OLDER_PAGES);
	}

	/**
	 * Takes two round trips. The first one reads the session, and the ids in the timeline
	 * of the user whom the cookie names. The second one reads the posts that are not in
	 * the cache. A third one reads those of their authors, and of the users whom they
	 * mention, who are not in the cache either. Only a page without posts takes longer,
	 * because it suggests users.
	 */
	private Mono<ServerResponse> home(ServerRequest request) {
		Optional<String> claimed = SessionReader.claimedUserId(request.exchange());
		if (claimed.isEmpty()) {
			return SignInRedirect.first(request);
		}
		Optional<Cursor> before = CursorParameter.of(request, Keys.homeTimeline(claimed.get()));
		return this.viewers
			.readOwn(request.exchange(), (hidden) -> this.timelines.home(claimed.get(), before, PAGE, hidden))
			.flatMap((read) -> HtmlResponses.wantsJson(request)
					? ServerResponse.ok().bodyValue(read.page().posts().json())
					: page(request, read.viewer().orElseThrow(), read, before.isPresent()))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> page(ServerRequest request, Viewer viewer,
			ViewerAwarePageReader.Read<TimelinePage<Boolean>> read, boolean older) {
		TimelinePage<Boolean> home = read.page();
		if (home.posts().posts().isEmpty() && home.posts().older() == null && !older) {
			return emptyPage(request, viewer, home, read.hidden());
		}
		return this.frames.isCommon(request.exchange(), viewer) ? newestPage(request, viewer, home)
				: askedPage(request, viewer, home, older);
	}

	private Mono<ServerResponse> emptyPage(ServerRequest request, Viewer viewer, TimelinePage<Boolean> home,
			HiddenAuthors hidden) {
		return Mono
			.zip(this.frames.of(request.exchange(), TITLE, Optional.of(viewer), home.live(STREAM)),
					this.suggestions.of(viewer, hidden),
					(frame, people) -> HtmlResponses.page(this.page,
							new View(frame, this.compose.empty(ComposeView.freshOnce(), null, PATH),
									home.posts().markup(), null, null, people),
							home.posts().markup()))
			.flatMap(Function.identity());
	}

	/** A page whose query says something, or whose frame is not the common one. */
	private Mono<ServerResponse> askedPage(ServerRequest request, Viewer viewer, TimelinePage<Boolean> home,
			boolean older) {
		RenderedMarkup posts = home.posts().markup();
		return this.frames.of(request.exchange(), TITLE, Optional.of(viewer), older ? null : home.live(STREAM))
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, this.compose.empty(ComposeView.freshOnce(), null, PATH), posts,
							home.posts().olderAddress(PATH), older ? PATH : null, List.of()),
					posts));
	}

	/** The busiest page of the site. */
	private Mono<ServerResponse> newestPage(ServerRequest request, Viewer viewer, TimelinePage<Boolean> home) {
		RenderedMarkup posts = home.posts().markup();
		String next = home.posts().olderAddress(PATH);
		PageSkeleton page = this.pages.computeIfAbsent(new Shape(this.frames.language(request.exchange()),
				posts.parts().isEmpty(), next == null, viewer.unreadKnown()), this::skeleton);
		return PageFrames.csrf(request.exchange())
			.flatMap((csrf) -> HtmlResponses.page(page, posts,
					Map.of(Place.USER, viewer.id(), Place.USERNAME, viewer.username(), Place.UNREAD, viewer.unread(),
							Place.CSRF, csrf, Place.ONCE, ComposeView.freshOnce(), Place.LIVE, home.live(STREAM),
							Place.OLDER, (next != null) ? next : "")));
	}

	/** The page with marks that {@link #newestPage} replaces. */
	private PageSkeleton skeleton(Shape shape) {
		PageFrame frame = this.frames.signedIn(shape.language(), TITLE,
				new Viewer(PageSkeleton.mark(Place.USER), PageSkeleton.mark(Place.USERNAME),
						PageSkeleton.mark(Place.UNREAD), shape.unreadKnown()),
				PageSkeleton.mark(Place.CSRF), PageSkeleton.mark(Place.LIVE));
		return PageSkeleton.of(this.page,
				new View(frame, this.compose.empty(PageSkeleton.mark(Place.ONCE), null, PATH),
						shape.empty() ? new RenderedMarkup(List.of()) : PageSkeleton.markup(),
						shape.last() ? null : PageSkeleton.mark(Place.OLDER), null, List.of()));
	}

	@Override
	public void filesChanged() {
		this.pages.clear();
	}

	/** What differs between pages of the same shape. */
	private enum Place {

		USER, USERNAME, UNREAD, CSRF, ONCE, LIVE, OLDER

	}

	/**
	 * Decides which parts a page has.
	 *
	 * @param language language of its texts
	 * @param empty whether it has no posts
	 * @param last whether there is no older page
	 * @param unreadKnown whether the number of unread notifications could be read
	 */
	private record Shape(Language language, boolean empty, boolean last, boolean unreadKnown) {
	}

	private record View(PageFrame frame, ComposeView compose, RenderedMarkup posts, @Nullable String older,
			@Nullable String newest, List<ListedPerson> suggestions) implements PageView {
	}

}
