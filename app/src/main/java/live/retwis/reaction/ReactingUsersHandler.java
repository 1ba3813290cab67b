package live.retwis.reaction;

import java.util.List;

import live.retwis.account.ListedPerson;
import live.retwis.account.PeoplePageReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.post.Post;
import live.retwis.post.RenderedPost;
import live.retwis.post.RenderedPosts;
import live.retwis.reaction.Reaction.Texts;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the pages that list the users who react to a post, the latest first. */
@Component
class ReactingUsersHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final RenderedPosts posts;

	private final PeoplePageReader pages;

	private final ReactionRepository reactions;

	ReactingUsersHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, RenderedPosts posts,
			PeoplePageReader pages, ReactionRepository reactions) {
		this.page = templates.page("reactions");
		this.frames = frames;
		this.viewers = viewers;
		this.posts = posts;
		this.pages = pages;
		this.reactions = reactions;
	}

	@Override
	public void addTo(RouteTable routes) {
		for (Reaction reaction : Reaction.values()) {
			routes.get("/posts/{id}/" + reaction.list(), (request) -> list(request, reaction));
		}
	}

	private Mono<ServerResponse> list(ServerRequest request, Reaction reaction) {
		String postId = request.pathVariable("id");
		return this.viewers.read(request.exchange(), (hidden) -> this.posts.findOrFail(postId)).flatMap((read) -> {
			Post post = read.page().post();
			return read.hidden().blocked().contains(post.authorId())
					? ProblemException.forbidden(Message.of("post.blocked", post.author()))
					: list(request, reaction, read);
		});
	}

	private Mono<ServerResponse> list(ServerRequest request, Reaction reaction,
			ViewerAwarePageReader.Read<RenderedPost> read) {
		RenderedPost post = read.page();
		String postId = post.post().id();
		Texts texts = reaction.texts();
		return this.pages
			.of(request, read.viewer(), read.hidden()::contains, reaction.users(postId),
					"/posts/" + postId + "/" + reaction.list(),
					(before, count) -> this.reactions.users(reaction, postId, before, count,
							post.counts().get(reaction.count())))
			.flatMap((people) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(people.json())
					: this.frames.of(request.exchange(), texts.title().apply(post.post().author()), read.viewer(), null)
						.flatMap((frame) -> HtmlResponses.page(this.page, new View(frame, post.html(), people.people(),
								texts.list(), people.empty(texts.empty()), people.older(), people.newest()))));
	}

	private record View(PageFrame frame, String post, List<ListedPerson> people, Localized heading, Localized empty,
			@Nullable String older, @Nullable String newest) implements PageView {
	}

}
