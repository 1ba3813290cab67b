package live.retwis.post;

import java.util.Optional;
import java.util.function.UnaryOperator;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import live.retwis.restriction.HiddenAuthorsCache;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Pages of lists of posts that belong to one user, who alone sees them. */
@Component
public class PrivateListResponder {

	private static final int PAGE = 20;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final PostListRepository lists;

	private final HiddenAuthorsCache hidden;

	PrivateListResponder(PageFrames frames, SessionReader sessions, PostListRepository lists,
			HiddenAuthorsCache hidden) {
		this.frames = frames;
		this.sessions = sessions;
		this.lists = lists;
		this.hidden = hidden;
	}

	/**
	 * Answers with a page of the viewer's list, newest first, or as JSON.
	 * @param path address of the list
	 * @param key key of a user's list
	 */
	public Mono<ServerResponse> show(ServerRequest request, PageTemplate template, Message title, String path,
			UnaryOperator<String> key) {
		return this.sessions.signedIn(request, (session) -> {
			Viewer viewer = session.viewer();
			String list = key.apply(viewer.id());
			Optional<Cursor> before = CursorParameter.of(request, list);
			return this.lists.page(list, before, PAGE, this.hidden.of(viewer.id()))
				.flatMap((posts) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(posts.json())
						: this.frames.of(request.exchange(), title, Optional.of(viewer), null)
							.flatMap((frame) -> page(template, frame, posts, path, before.isPresent())));
		});
	}

	private static Mono<ServerResponse> page(PageTemplate template, PageFrame frame, PostListPage posts, String path,
			boolean older) {
		RenderedMarkup markup = posts.markup();
		return HtmlResponses.page(template, new View(frame, markup, posts.olderAddress(path), older ? path : null),
				markup);
	}

	private record View(PageFrame frame, RenderedMarkup posts, @Nullable String older,
			@Nullable String newest) implements PageView {
	}

}
