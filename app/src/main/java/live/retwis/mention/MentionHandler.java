package live.retwis.mention;

import java.util.List;
import java.util.Optional;

import live.retwis.account.Sessions;
import live.retwis.i18n.Message;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostPage;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.Cursors;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the posts that mention the viewer or reply to the viewer's posts. */
@Component
class MentionHandler implements SiteRoutes {

	private static final int PAGE = 20;

	private static final String PATH = "/mentions";

	private final PageTemplate page;

	private final PageFrames frames;

	private final Sessions sessions;

	private final PostListRepository lists;

	MentionHandler(Templates templates, PageFrames frames, Sessions sessions, PostListRepository lists) {
		this.page = templates.page("mentions");
		this.frames = frames;
		this.sessions = sessions;
		this.lists = lists;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, this::mentions);
	}

	private Mono<ServerResponse> mentions(ServerRequest request) {
		return this.sessions.of(request.exchange()).flatMap((viewer) -> {
			String key = Keys.mentions(viewer.id());
			Optional<Cursor> before = Cursors.of(request, key);
			return this.lists.page(key, before, PAGE, List.of())
				.flatMap((posts) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(posts.json())
						: page(request, viewer, posts, before.isPresent()));
		}).switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> page(ServerRequest request, Viewer viewer, PostPage posts, boolean older) {
		RenderedMarkup markup = posts.markup();
		return this.frames.of(request.exchange(), Message.of("mentions.title"), Optional.of(viewer), null)
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, markup, posts.olderAddress(PATH), older ? PATH : null), markup));
	}

	private record View(PageFrame frame, RenderedMarkup posts, @Nullable String older,
			@Nullable String newest) implements PageView {
	}

}
