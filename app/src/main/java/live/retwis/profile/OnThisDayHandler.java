package live.retwis.profile;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves what a user posted on this day of former years. The day is that of UTC. */
@Component
class OnThisDayHandler implements RouteContributor {

	private final OnThisDay onThisDay;

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final ProfileReader profiles;

	OnThisDayHandler(OnThisDay onThisDay, Templates templates, PageFrames frames, ViewerAwarePageReader viewers,
			ProfileReader profiles) {
		this.onThisDay = onThisDay;
		this.page = templates.page("on-this-day");
		this.frames = frames;
		this.viewers = viewers;
		this.profiles = profiles;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/@{username}/on-this-day", RateLimit.SEARCHES, this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		String name = request.pathVariable("username");
		return this.profiles.findId(name)
			.flatMap((userId) -> this.viewers.read(request.exchange(),
					(hidden) -> hidden.flatMap((authors) -> this.onThisDay.posts(userId, authors))))
			.flatMap((read) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(read.page().json())
					: this.frames.of(request.exchange(), Message.of("on-this-day.title", name), read.viewer(), null)
						.flatMap((frame) -> {
							RenderedMarkup posts = read.page().markup();
							return HtmlResponses.page(this.page, new View(frame, name, posts, null, null), posts);
						}))
			.switchIfEmpty(ProblemException.notFound(Message.of("user.missing")));
	}

	private record View(PageFrame frame, String username, RenderedMarkup posts, @Nullable String older,
			@Nullable String newest) implements PageView {
	}

}
