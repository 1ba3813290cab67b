package live.retwis.timeline;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.account.Sessions;
import live.retwis.post.Compose;
import live.retwis.post.ComposeView;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.Cursors;
import live.retwis.web.Frame;
import live.retwis.web.Frames;
import live.retwis.web.Html;
import live.retwis.web.Language;
import live.retwis.web.Markup;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.SignIn;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Stencil;
import live.retwis.web.Templates;
import live.retwis.web.Text;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The home timeline.
 */
@Component
class HomeHandler implements SiteRoutes {

	private static final int PAGE = 20;

	private static final String PATH = "/home";

	private final PageTemplate page;

	private final Frames frames;

	private final Sessions sessions;

	private final TimelinePages timelines;

	private final Compose compose;

	private final Map<Shape, Stencil> pages = new ConcurrentHashMap<>();

	HomeHandler(Templates templates, Frames frames, Sessions sessions, TimelinePages timelines, Compose compose) {
		this.page = templates.page("home");
		this.frames = frames;
		this.sessions = sessions;
		this.timelines = timelines;
		this.compose = compose;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, this::home);
	}

	/**
	 * Two round trips: the session, with the places in the timeline of the user whom the
	 * cookie names; the posts that are not known here.
	 */
	private Mono<ServerResponse> home(ServerRequest request) {
		Optional<String> claimed = Sessions.claimedUserId(request.exchange());
		if (claimed.isEmpty()) {
			return SignIn.first(request);
		}
		Optional<Cursor> before = Cursors.of(request, Keys.homeTimeline(claimed.get()));
		return this.timelines.home(claimed.get(), before, PAGE, this.sessions.of(request.exchange()))
			.flatMap((home) -> Html.wantsJson(request) ? ServerResponse.ok().bodyValue(home.posts().json())
					: page(request, home, before.isPresent()))
			.switchIfEmpty(Mono.defer(() -> SignIn.first(request)));
	}

	private Mono<ServerResponse> page(ServerRequest request, TimelinePage<Viewer> home, boolean older) {
		Markup posts = home.posts().markup();
		String next = home.posts().olderAddress(PATH);
		Stencil page = this.pages.computeIfAbsent(
				new Shape(Frames.language(request.exchange()), posts.parts().isEmpty(), next == null, older),
				this::stencil);
		return Frames.csrf(request.exchange())
			.flatMap((csrf) -> Html.page(page, posts, home.beside().username(), csrf, ComposeView.freshOnce(),
					home.live("/live/home"), (next != null) ? next : ""));
	}

	/** The page with places for what {@link #page} fills in, in its order. */
	private Stencil stencil(Shape shape) {
		Frame frame = this.frames.signedIn(shape.language(), Text.of("Home"), new Viewer("", Stencil.place(0)),
				Stencil.place(1), shape.older() ? null : Stencil.place(3));
		return Stencil.of(this.page,
				new View(frame, this.compose.empty(Stencil.place(2), null, PATH),
						shape.empty() ? new Markup(List.of()) : Stencil.markup(),
						shape.last() ? null : Stencil.place(4), shape.older() ? PATH : null));
	}

	/**
	 * What decides which parts a page has.
	 *
	 * @param language which one its words are in
	 * @param empty no posts
	 * @param last no older page after it
	 * @param older not the newest page
	 */
	private record Shape(Language language, boolean empty, boolean last, boolean older) {
	}

	private record View(Frame frame, ComposeView compose, Markup posts, @Nullable String older,
			@Nullable String newest) implements PageView {
	}

}
