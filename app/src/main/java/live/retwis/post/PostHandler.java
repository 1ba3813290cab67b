package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.samskivert.mustache.Template;
import live.retwis.account.Sessions;
import live.retwis.redis.Cursor;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import live.retwis.web.Cursors;
import live.retwis.web.Frame;
import live.retwis.web.Frames;
import live.retwis.web.Html;
import live.retwis.web.Problems;
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
 * The page of one post: what it replies to, its replies, and what its viewer may do.
 */
@Component
class PostHandler implements SiteRoutes {

	private static final int PAGE = 50;

	private final Template page;

	private final Frames frames;

	private final Sessions sessions;

	private final PostRepository posts;

	private final ReplyRepository replies;

	private final Compose compose;

	PostHandler(Templates templates, Frames frames, Sessions sessions, PostRepository posts, ReplyRepository replies,
			Compose compose) {
		this.page = templates.compile("post");
		this.frames = frames;
		this.sessions = sessions;
		this.posts = posts;
		this.replies = replies;
		this.compose = compose;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/posts/{id}", this::show);
	}

	/** Two round trips: the post and the places of its replies; their rows. */
	private Mono<ServerResponse> show(ServerRequest request) {
		String id = request.pathVariable("id");
		if (!Ids.isValid(id)) {
			return Problems.notFound("There is no such post.");
		}
		Optional<Cursor> after = Cursors.of(request, Keys.replies(id));
		return Mono
			.zip(this.sessions.optional(request.exchange()),
					this.posts.find(id).map(Optional::of).defaultIfEmpty(Optional.empty()),
					this.replies.page(id, after, PostRepository.placesFor(PAGE)), this.replies.count(id))
			.flatMap((known) -> known.getT2().isEmpty()
					? Problems.notFound("There is no such post. It may have been deleted.")
					: conversation(known.getT2().get(), known.getT3(), known.getT4())
						.flatMap((conversation) -> Html.wantsJson(request)
								? ServerResponse.ok().bodyValue(conversation.json())
								: page(request, known.getT1(), conversation, after.isPresent())));
	}

	private Mono<Conversation> conversation(RenderedPost post, List<Cursor> places, long count) {
		Mono<Optional<RenderedPost>> parent = Mono.justOrEmpty(post.post().replyTo())
			.flatMap(this.posts::find)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return Mono.zip(parent, replies(Keys.replies(post.post().id()), places),
				(found, replies) -> new Conversation(post, found.orElse(null), replies, count));
	}

	private Mono<PostPage> replies(String key, List<Cursor> places) {
		List<String> replyIds = places.stream().map(Cursor::member).toList();
		Map<String, Cursor> byId = places.stream().collect(Collectors.toMap(Cursor::member, Function.identity()));
		return this.posts.findAll(replyIds).map((found) -> PostPage.of(key, replyIds, found, byId, PAGE));
	}

	private Mono<ServerResponse> page(ServerRequest request, Optional<Viewer> viewer, Conversation conversation,
			boolean later) {
		Post post = conversation.post().post();
		String path = "/posts/" + post.id();
		return this.frames.of(request.exchange(), "Post by @" + post.author(), viewer, null)
			.flatMap((frame) -> Html.page(this.page,
					new View(frame, conversation.post().html(), conversation.parentHtml(),
							post.replyTo() != null && conversation.parent() == null, conversation.replies().html(),
							conversation.count(), viewer.map(Viewer::id).filter(post.authorId()::equals).isPresent(),
							post.id(), viewer.map((author) -> this.compose.fresh(post.id(), path)).orElse(null),
							conversation.replies().olderAddress(path), later ? path : null)));
	}

	private record Conversation(RenderedPost post, @Nullable RenderedPost parent, PostPage replies, long count) {

		@Nullable String parentHtml() {
			return (this.parent != null) ? this.parent.html() : null;
		}

		Json json() {
			return new Json(List.of(PostJson.of(this.post)), (this.parent != null) ? PostJson.of(this.parent) : null,
					this.replies.json().posts(), this.replies.older());
		}

	}

	private record Json(List<PostJson> posts, @Nullable PostJson parent, List<PostJson> replies,
			@Nullable String older) {
	}

	private record View(Frame frame, String post, @Nullable String parent, boolean parentGone, String replies,
			long replyCount, boolean canDelete, String postId, @Nullable ComposeView compose, @Nullable String older,
			@Nullable String newest) {
	}

}
