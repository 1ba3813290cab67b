package live.retwis.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import live.retwis.account.ListedPerson;
import live.retwis.account.PersonJson;
import live.retwis.block.HiddenAuthors;
import live.retwis.block.ViewerPages;
import live.retwis.follow.Suggestions;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.PostJson;
import live.retwis.redis.Cursor;
import live.retwis.tag.ListedTag;
import live.retwis.tag.TrendingTags;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriUtils;

/**
 * Serves the search. Without a query the page shows whom one might follow, and the tags
 * of the day.
 */
@Component
class SearchHandler implements SiteRoutes {

	private static final String PATH = "/search";

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerPages viewers;

	private final CombinedSearch searches;

	private final Suggestions suggestions;

	private final TrendingTags trending;

	SearchHandler(Templates templates, PageFrames frames, ViewerPages viewers, CombinedSearch searches,
			Suggestions suggestions, TrendingTags trending) {
		this.page = templates.page("search");
		this.frames = frames;
		this.viewers = viewers;
		this.searches = searches;
		this.suggestions = suggestions;
		this.trending = trending;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(PATH, RateLimit.SEARCHES, this::search);
	}

	private Mono<ServerResponse> search(ServerRequest request) {
		SearchQuery query = SearchQuery.of(request.queryParam("q").orElse(""));
		Optional<Cursor> before = CursorParameter.of(request, query.key());
		return this.viewers.read(request.exchange(), Function.<Mono<HiddenAuthors>>identity())
			.flatMap((read) -> this.searches.find(query, read.viewer(), before, read.hidden())
				.flatMap((found) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(Json.of(found))
						: page(request, query, read, found, before.isPresent())));
	}

	private Mono<ServerResponse> page(ServerRequest request, SearchQuery query, ViewerPages.Read<HiddenAuthors> read,
			CombinedSearch.Found found, boolean older) {
		Optional<Viewer> viewer = read.viewer();
		String path = PATH + "?q=" + UriUtils.encode(query.text(), StandardCharsets.UTF_8);
		RenderedMarkup posts = found.posts().markup();
		String next = found.posts().older();
		return Mono
			.zip(this.frames.of(request.exchange(), Message.of("search.title"), viewer, null),
					query.isEmpty() ? Mono.justOrEmpty(viewer)
						.flatMap((who) -> this.suggestions.of(who, read.hidden()))
						.defaultIfEmpty(List.of()) : Mono.just(List.<ListedPerson>of()),
					query.isEmpty() ? this.trending.top() : Mono.just(List.<ListedTag>of()))
			.flatMap((parts) -> HtmlResponses.page(this.page,
					new View(parts.getT1(), query.isTooLong() ? "" : query.text(), SearchQuery.LONGEST,
							answer(query, found), found.users(), found.tags(), !found.posts().posts().isEmpty(), posts,
							(next != null) ? path + "&" + CursorParameter.PARAMETER + "=" + next : null,
							older ? path : null, parts.getT2(), parts.getT3()),
					posts));
	}

	/** What the page says when it shows nothing that was found; null otherwise. */
	private static @Nullable Localized answer(SearchQuery query, CombinedSearch.Found found) {
		if (query.isEmpty()) {
			return Message.of("search.hint");
		}
		if (query.isTooLong()) {
			return Message.of("search.too-long", SearchQuery.LONGEST);
		}
		if (query.words().isEmpty()) {
			return Message.of("search.no-words");
		}
		return found.isEmpty() ? Message.of("search.nothing") : null;
	}

	private record View(PageFrame frame, String query, int longest, @Nullable Localized answer,
			List<ListedPerson> people, List<ListedTag> tags, boolean hasPosts, RenderedMarkup posts,
			@Nullable String older, @Nullable String newest, List<ListedPerson> suggestions,
			List<ListedTag> trending) implements PageView {
	}

	/** What was found, as JSON. */
	private record Json(List<PersonJson> users, List<TagJson> tags, List<PostJson> posts, @Nullable String older) {

		static Json of(CombinedSearch.Found found) {
			return new Json(found.users().stream().map(PersonJson::of).toList(),
					found.tags().stream().map((tag) -> new TagJson(tag.tag(), tag.count())).toList(),
					found.posts().json().posts(), found.posts().older());
		}

	}

	private record TagJson(String tag, long posts) {
	}

}
