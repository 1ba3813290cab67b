package live.retwis.timeline;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import live.retwis.account.SessionReader;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.files.FileChangeListener;
import live.retwis.i18n.Language;
import live.retwis.i18n.Message;
import live.retwis.redis.BestEffortReads;
import live.retwis.redis.CoalescedRead;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the public timeline, with the latest registered users and the tags of the day.
 */
@Component
class PublicTimelineHandler implements RouteContributor, FileChangeListener {

	private static final int POSTS = 50;

	private static final String PATH = "/timeline";

	private static final String STREAM = "/live/public";

	private static final Message TITLE = Message.of("timeline.title");

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final PublicSidebarReader side;

	private final TimelinePageReader timelines;

	/**
	 * The newest page is the same for everybody who has not muted or blocked one of its
	 * authors, except for its frame. So all who ask at the same time share one read.
	 */
	private final CoalescedRead<Newest> newest;

	private volatile @Nullable Newest last;

	PublicTimelineHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers,
			PublicSidebarReader side, TimelinePageReader timelines) {
		this.page = templates.page("timeline");
		this.frames = frames;
		this.viewers = viewers;
		this.side = side;
		this.timelines = timelines;
		this.newest = new CoalescedRead<>(Mono.defer(this::readNewest));
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::timeline);
	}

	private Mono<ServerResponse> timeline(ServerRequest request) {
		Optional<Cursor> before = CursorParameter.of(request, Keys.PUBLIC_TIMELINE);
		Mono<Optional<PublicSidebarReader.Followed>> follows = HtmlResponses.wantsJson(request)
				? Mono.just(Optional.empty()) : this.side.followed(SessionReader.claimedUserId(request.exchange()));
		Function<BestEffortReads, Mono<Optional<PublicSidebarReader.Followed>>> buttons = (beside) -> beside
			.read(follows, Optional.empty());
		return before.isPresent()
				? BestEffortReads
					.zip(this.viewers.read(request.exchange(), (hidden) -> read(before, hidden)), buttons,
							(read, followed) -> older(request, read, followed))
					.flatMap(Function.identity())
				: BestEffortReads
					.zip(this.viewers.read(request.exchange(), this::newestFor), buttons,
							(read, followed) -> newest(request, read, followed))
					.flatMap(Function.identity());
	}

	private static Mono<ServerResponse> json(TimelinePage<PublicSidebarReader.Side> timeline) {
		return ServerResponse.ok().bodyValue(timeline.posts().json());
	}

	/** A read that is shared notes for itself that the archive is away. */
	private Mono<Newest> readNewest() {
		Map<String, @Nullable Object> notes = new ConcurrentHashMap<>();
		return read(Optional.empty(), Mono.just(HiddenAuthors.NOBODY)).contextWrite(OlderPostsAbsence.context(notes))
			.map((timeline) -> newest(timeline, OlderPostsAbsence.isNoted(notes)));
	}

	/**
	 * The newest page, read by itself for a viewer who does not see all of its posts.
	 * Whom the viewer hides is asked after the page, whose position may be later than the
	 * request.
	 */
	private Mono<Newest> newestFor(Mono<HiddenAuthors> hidden) {
		return this.newest.get()
			.flatMap((shared) -> hidden.flatMap(
					(authors) -> shared.timeline().posts().posts().stream().noneMatch((post) -> post.isHidden(authors))
							? shared.noted() : read(Optional.empty(), hidden).map((own) -> Newest.of(own, false))));
	}

	private Mono<TimelinePage<PublicSidebarReader.Side>> read(Optional<Cursor> before, Mono<HiddenAuthors> hidden) {
		return Mono.defer(() -> this.timelines.everyone(before, POSTS, hidden, this.side::read));
	}

	private Newest newest(TimelinePage<PublicSidebarReader.Side> timeline, boolean olderAway) {
		Newest known = this.last;
		if (known != null && known.olderAway() == olderAway && known.timeline().equals(timeline)) {
			return known;
		}
		Newest read = Newest.of(timeline, olderAway);
		this.last = read;
		return read;
	}

	private Mono<ServerResponse> older(ServerRequest request,
			ViewerAwarePageReader.Read<TimelinePage<PublicSidebarReader.Side>> read,
			Optional<PublicSidebarReader.Followed> followed) {
		return HtmlResponses.wantsJson(request) ? json(read.page())
				: page(request, read.page(), read, followed, null, PATH);
	}

	private Mono<ServerResponse> newest(ServerRequest request, ViewerAwarePageReader.Read<Newest> read,
			Optional<PublicSidebarReader.Followed> followed) {
		TimelinePage<PublicSidebarReader.Side> timeline = read.page().timeline();
		if (HtmlResponses.wantsJson(request)) {
			return json(timeline);
		}
		return (read.viewer().isEmpty() && !read.page().olderAway() && PageFrames.isPlain(request.exchange()))
				? HtmlResponses.page(signedOut(read.page(), this.frames.language(request.exchange())))
				: page(request, timeline, read, followed, timeline.live(STREAM), null);
	}

	private byte[] signedOut(Newest read, Language inLanguage) {
		return read.signedOut().computeIfAbsent(inLanguage, (language) -> {
			RenderedMarkup posts = read.timeline().posts().markup();
			PageFrame frame = this.frames.signedOut(language, PATH, TITLE, read.timeline().live(STREAM));
			return HtmlResponses.bytes(this.page,
					View.of(frame, read.timeline(), read.timeline().beside(), posts, null), posts);
		});
	}

	@Override
	public void filesChanged() {
		this.last = null;
	}

	private Mono<ServerResponse> page(ServerRequest request, TimelinePage<PublicSidebarReader.Side> timeline,
			ViewerAwarePageReader.Read<?> read, Optional<PublicSidebarReader.Followed> followed, @Nullable String live,
			@Nullable String newest) {
		RenderedMarkup posts = timeline.posts().markup();
		PublicSidebarReader.Side seen = timeline.beside().without(read.hidden());
		PublicSidebarReader.Side side = read.viewer()
			.flatMap((who) -> followed.map((known) -> seen.with(who, known)))
			.orElse(seen);
		return this.frames.of(request.exchange(), TITLE, read.viewer(), live)
			.flatMap((frame) -> HtmlResponses.page(this.page, View.of(frame, timeline, side, posts, newest), posts));
	}

	/**
	 * The newest page.
	 *
	 * @param timeline its content
	 * @param olderAway whether older posts are missing, because the archive is away
	 * @param signedOut the page for signed-out visitors by language, as UTF-8
	 */
	private record Newest(TimelinePage<PublicSidebarReader.Side> timeline, boolean olderAway,
			Map<Language, byte[]> signedOut) {

		static Newest of(TimelinePage<PublicSidebarReader.Side> timeline, boolean olderAway) {
			return new Newest(timeline, olderAway, new ConcurrentHashMap<>());
		}

		/** The same, with a note at the request that asks. */
		Mono<Newest> noted() {
			return this.olderAway ? OlderPostsAbsence.without(this) : Mono.just(this);
		}

	}

	private record View(PageFrame frame, RenderedMarkup posts, PublicSidebarReader.Side side, @Nullable String older,
			@Nullable String newest) implements PageView {

		static View of(PageFrame frame, TimelinePage<PublicSidebarReader.Side> timeline, PublicSidebarReader.Side side,
				RenderedMarkup posts, @Nullable String newest) {
			return new View(frame, posts, side, timeline.posts().olderAddress(PATH), newest);
		}

	}

}
