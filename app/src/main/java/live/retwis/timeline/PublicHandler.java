package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import com.samskivert.mustache.Template;
import live.retwis.account.Sessions;
import live.retwis.account.UserRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.Cursors;
import live.retwis.web.Frame;
import live.retwis.web.Frames;
import live.retwis.web.Html;
import live.retwis.web.Markup;
import live.retwis.web.Person;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The public timeline and the latest registered users.
 */
@Component
class PublicHandler implements SiteRoutes {

	private static final int POSTS = 50;

	private static final int PEOPLE = 10;

	private static final String PATH = "/timeline";

	private final Template page;

	private final Frames frames;

	private final Sessions sessions;

	private final UserRepository users;

	private final TimelinePages timelines;

	PublicHandler(Templates templates, Frames frames, Sessions sessions, UserRepository users,
			TimelinePages timelines) {
		this.page = templates.compile("timeline");
		this.frames = frames;
		this.sessions = sessions;
		this.users = users;
		this.timelines = timelines;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, this::timeline);
	}

	private Mono<ServerResponse> timeline(ServerRequest request) {
		Optional<Cursor> before = Cursors.of(request, Keys.PUBLIC_TIMELINE);
		Mono<Beside> beside = Mono.zip(this.sessions.optional(request.exchange()),
				this.users.recent(PEOPLE).flatMap(this.users::findPeople), Beside::new);
		return this.timelines.everyone(before, POSTS, beside)
			.flatMap((timeline) -> Html.wantsJson(request) ? ServerResponse.ok().bodyValue(timeline.posts().json())
					: page(request, timeline, before.isPresent()));
	}

	private Mono<ServerResponse> page(ServerRequest request, TimelinePage<Beside> timeline, boolean older) {
		Markup posts = timeline.posts().markup();
		return this.frames
			.of(request.exchange(), "Public timeline", timeline.beside().viewer(),
					older ? null : timeline.live("/live/public"))
			.flatMap((frame) -> Html.page(this.page, new View(frame, posts, timeline.beside().people(),
					timeline.posts().olderAddress(PATH), older ? PATH : null), posts));
	}

	private record Beside(Optional<Viewer> viewer, List<Person> people) {
	}

	private record View(Frame frame, Markup posts, List<Person> people, @Nullable String older,
			@Nullable String newest) {
	}

}
