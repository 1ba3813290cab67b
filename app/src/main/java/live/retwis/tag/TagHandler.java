package live.retwis.tag;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.text.HashtagRules;
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
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriUtils;

/**
 * Serves the posts that have a tag. A tag that no post has is an empty page; a text that
 * cannot be a tag is not found.
 */
@Component
class TagHandler implements RouteContributor {

	private static final int PAGE = 20;

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final TagPageReader tags;

	TagHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, TagPageReader tags) {
		this.page = templates.page("tag");
		this.frames = frames;
		this.viewers = viewers;
		this.tags = tags;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/tags/{tag}", RateLimit.OLDER_PAGES,
				(request) -> CursorParameter.isGiven(request) && this.tags.isArchiveUsed(), this::posts);
	}

	private Mono<ServerResponse> posts(ServerRequest request) {
		return HashtagRules.find(request.pathVariable("tag"))
			.map((tag) -> posts(request, tag))
			.orElseGet(() -> ProblemException.notFound(Message.of("tag.missing")));
	}

	private Mono<ServerResponse> posts(ServerRequest request, String tag) {
		Optional<Cursor> before = CursorParameter.of(request, Keys.tag(tag));
		return this.viewers.read(request.exchange(), (hidden) -> this.tags.read(tag, before, PAGE, hidden))
			.flatMap((read) -> HtmlResponses.wantsJson(request)
					? ServerResponse.ok().bodyValue(read.page().posts().json())
					: page(request, tag, before.isPresent(), read.page(), read.viewer()));
	}

	private Mono<ServerResponse> page(ServerRequest request, String tag, boolean older, TagPageReader.TagPage found,
			Optional<Viewer> viewer) {
		String address = address(tag);
		RenderedMarkup posts = found.posts().markup();
		return this.frames
			.of(request.exchange(), Localized.verbatim("#" + tag), viewer,
					older ? null : found.posts().live("/live" + address, found.position()))
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, OpenGraphCard.withFeed(request, address, "website", null), posts,
							found.posts().olderAddress(address), older ? address : null),
					posts));
	}

	/** Path of the page of a tag. */
	static String address(String tag) {
		return "/tags/" + UriUtils.encodePathSegment(tag, StandardCharsets.UTF_8);
	}

	private record View(PageFrame frame, OpenGraphCard card, RenderedMarkup posts, @Nullable String older,
			@Nullable String newest) implements PageView {
	}

}
