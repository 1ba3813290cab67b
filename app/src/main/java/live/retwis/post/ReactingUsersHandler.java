package live.retwis.post;

import java.util.List;

import live.retwis.account.ListedPerson;
import live.retwis.account.PeoplePageReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
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

/** Serves the pages that list the users who did something to a post, the latest first. */
@Component
class ReactingUsersHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final RenderedPosts posts;

	private final PeoplePageReader pages;

	private final List<ReactingUsersList> lists;

	ReactingUsersHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, RenderedPosts posts,
			PeoplePageReader pages, List<ReactingUsersList> lists) {
		this.page = templates.page("reactions");
		this.frames = frames;
		this.viewers = viewers;
		this.posts = posts;
		this.pages = pages;
		this.lists = lists;
	}

	@Override
	public void addTo(RouteTable routes) {
		for (ReactingUsersList list : this.lists) {
			routes.get("/posts/{id}/" + list.name(), RateLimit.SEARCHES, (request) -> show(request, list));
		}
	}

	private Mono<ServerResponse> show(ServerRequest request, ReactingUsersList list) {
		String postId = request.pathVariable("id");
		return this.viewers.read(request.exchange(), (hidden) -> this.posts.findOrFail(postId)).flatMap((read) -> {
			Post post = read.page().post();
			return read.hidden().blocked().contains(post.authorId())
					? ProblemException.forbidden(Message.of("post.blocked", post.author())) : show(request, list, read);
		});
	}

	private Mono<ServerResponse> show(ServerRequest request, ReactingUsersList list,
			ViewerAwarePageReader.Read<RenderedPost> read) {
		RenderedPost post = read.page();
		String postId = post.post().id();
		return this.pages
			.of(request, read.viewer(), read.hidden()::contains, list.key(postId),
					"/posts/" + postId + "/" + list.name(), (before, count) -> list.read(post, before, count))
			.flatMap((people) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(people.json())
					: this.frames.of(request.exchange(), list.title(post.post().author()), read.viewer(), null)
						.flatMap((frame) -> HtmlResponses.page(this.page, new View(frame, post.html(), people.people(),
								list.heading(), people.empty(list.empty()), people.older(), people.newest()))));
	}

	private record View(PageFrame frame, String post, List<ListedPerson> people, Localized heading, Localized empty,
			@Nullable String older, @Nullable String newest) implements PageView {
	}

}
