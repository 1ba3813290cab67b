package live.retwis.post;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.OpenGraphCard;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the page of one post: the post that it replies to, its replies, and what the
 * viewer may do.
 */
@Component
class PostPageHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final ConversationReader conversations;

	private final ComposeForms compose;

	private final List<PostMenuContributor> actions;

	PostPageHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers,
			ConversationReader conversations, ComposeForms compose, List<PostMenuContributor> actions) {
		this.page = templates.page("post");
		this.frames = frames;
		this.viewers = viewers;
		this.conversations = conversations;
		this.compose = compose;
		this.actions = actions;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/posts/{id}", this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		String id = request.pathVariable("id");
		if (!TimeSortedIdGenerator.isValid(id)) {
			return ProblemException.notFound(Message.of("post.missing"));
		}
		Optional<Cursor> after = CursorParameter.of(request, Keys.replies(id));
		return this.viewers
			.read(request.exchange(),
					(hidden) -> this.conversations.find(id, after, hidden)
						.switchIfEmpty(ProblemException.notFound(Message.of("post.missing-or-deleted"))))
			.flatMap((read) -> {
				Conversation conversation = read.page();
				Post post = conversation.post().post();
				if (conversation.post().repost() != null) {
					return HtmlResponses.seeOther("/posts/" + post.id());
				}
				return read.hidden().blocked().contains(post.authorId())
						? ProblemException.forbidden(Message.of("post.blocked", post.author()))
						: answer(request, read.viewer(), conversation, after.isPresent());
			});
	}

	private Mono<ServerResponse> answer(ServerRequest request, Optional<Viewer> viewer, Conversation conversation,
			boolean later) {
		return HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(conversation.json())
				: page(request, viewer, conversation, later);
	}

	private Mono<ServerResponse> page(ServerRequest request, Optional<Viewer> viewer, Conversation conversation,
			boolean later) {
		Post post = conversation.post().post();
		String path = "/posts/" + post.id();
		String stream = "/live" + path + "?after=" + conversation.position();
		String more = path + "?" + CursorParameter.PARAMETER + "="
				+ new Cursor(0, post.id()).text(Keys.replies(post.id()));
		return Mono
			.zip(this.frames
				.of(request.exchange(), Message.of("post.title-by", post.author()), viewer, live(conversation, stream)),
					actions(post, viewer),
					(frame, actions) -> new View(frame, OpenGraphCard.withText(request, path, "article", post.body()),
							conversation.markup(), conversation.earlier(), conversation.aboveMarkup(),
							conversation.parentGone(), conversation.parentHidden(), conversation.parentAway(),
							conversation.replies().markup(), conversation.count(), actions,
							viewer.map(Viewer::id).filter(post.authorId()::equals).isPresent(), post.id(),
							viewer.map((author) -> this.compose.fresh(post.id(), path)).orElse(null),
							conversation.replies().olderAddress(path), later ? path : null, more, stream))
			.flatMap((view) -> HtmlResponses.page(this.page, view, view.markup()));
	}

	/** The last page of a conversation is live: new replies come at its end. */
	private static @Nullable String live(Conversation conversation, String stream) {
		return (conversation.replies().older() == null) ? stream : null;
	}

	private Mono<List<PostMenuItem>> actions(Post post, Optional<Viewer> viewer) {
		return Flux.fromIterable(this.actions)
			.concatMap((some) -> some.of(post, viewer))
			.flatMapIterable(Function.identity())
			.collectList();
	}

	private record View(PageFrame frame, OpenGraphCard card, RenderedMarkup post, @Nullable String earlier,
			List<RenderedMarkup> above, boolean parentGone, boolean parentHidden, boolean parentAway,
			RenderedMarkup replies, long replyCount, List<PostMenuItem> actions, boolean canDelete, String postId,
			@Nullable ComposeView compose, @Nullable String older, @Nullable String newest, String more,
			String stream) implements PageView {

		/** In the order of the template. */
		RenderedMarkup[] markup() {
			return Stream.concat(this.above.stream(), Stream.of(this.post, this.replies))
				.toArray(RenderedMarkup[]::new);
		}

	}

}
