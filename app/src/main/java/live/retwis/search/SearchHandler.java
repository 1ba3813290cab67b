package live.retwis.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import live.retwis.account.ListedPerson;
import live.retwis.account.PersonJson;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.follow.Suggestions;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.PostDto;
import live.retwis.redis.Cursor;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.tag.ListedTag;
import live.retwis.tag.TrendingTags;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
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
 * Serves the search. Without a query the page shows whom one might follow, and the tags
 * of the day. These are kept in memory for a while, and that page counts as no search.
 */
@Component
class SearchHandler implements RouteContributor {

	private static final String PATH = "/search";

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final CombinedSearch searches;

	private final Suggestions suggestions;

	private final TrendingTags trending;

	SearchHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, CombinedSearch searches,
			Suggestions suggestions, TrendingTags trending) {
		this.page = templates.page("search");
		this.frames = frames;
		this.viewers = viewers;
		this.searches = searches;
		this.suggestions = suggestions;
		this.trending = trending;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, RateLimit.SEARCHES, (request) -> !query(request).isEmpty(), this::search);
	}

	private static SearchQuery query(ServerRequest request) {
		return SearchQuery.of(request.queryParam("q").orElse(""));
	}

	private Mono<ServerResponse> search(ServerRequest request) {
		SearchQuery query = query(request);
		Optional<Cursor> before = CursorParameter.of(request, query.key());
		return this.viewers.read(request.exchange(), Function.<Mono<HiddenAuthors>>identity())
			.flatMap((read) -> this.searches.find(query, read.viewer(), before, read.hidden())
				.zipWith(beside(query, read),
						(found, beside) -> HtmlResponses.wantsJson(request)
								? ServerResponse.ok().bodyValue(Json.of(found, beside))
								: page(request, query, read, found, beside, before.isPresent()))
				.flatMap(Function.identity()));
	}

	/** What a page without a query shows. */
	private Mono<Beside> beside(SearchQuery query, ViewerAwarePageReader.Read<HiddenAuthors> read) {
		return !query.isEmpty() ? Mono.just(Beside.NOTHING)
				: Mono.zip(Mono.justOrEmpty(read.viewer())
					.flatMap((who) -> this.suggestions.of(who, read.hidden()))
					.defaultIfEmpty(List.of()), this.trending.top(), Beside::new);
	}

	private Mono<ServerResponse> page(ServerRequest request, SearchQuery query,
			ViewerAwarePageReader.Read<HiddenAuthors> read, CombinedSearch.Found found, Beside beside, boolean older) {
		Optional<Viewer> viewer = read.viewer();
		String path = PATH + "?q=" + UriUtils.encode(query.text(), StandardCharsets.UTF_8);
		RenderedMarkup posts = found.posts().markup();
		String next = found.posts().older();
		return this.frames.of(request.exchange(), Message.of("search.title"), viewer, null)
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, query.isTooLong() ? "" : query.text(), SearchQuery.LONGEST,
							answer(query, found, frame, request.attributes()), found.users(), found.tags(),
							!found.posts().posts().isEmpty(), posts,
							(next != null) ? path + "&" + CursorParameter.PARAMETER + "=" + next : null,
							older ? path : null, beside.suggestions(), beside.trending()),
					posts));
	}

	/** What the page says above what was found, or instead of it; null for nothing. */
	private @Nullable Localized answer(SearchQuery query, CombinedSearch.Found found, PageFrame frame,
			Map<String, @Nullable Object> attributes) {
		if (query.isEmpty()) {
			return this.searches.findsOldPosts() ? Message.of("search.hint.all") : Message.of("search.hint");
		}
		if (query.isTooLong()) {
			return Message.of("search.too-long", SearchQuery.LONGEST);
		}
		if (query.words().isEmpty()) {
			return Message.of("search.no-words");
		}
		if (frame.olderAway()) {
			return OlderPostsAbsence.isSearchTooSlow(attributes) ? Message.of("search.too-slow")
					: Message.of("error.archive-away");
		}
		return found.isEmpty() ? Message.of("search.nothing") : null;
	}

	private record View(PageFrame frame, String query, int longest, @Nullable Localized answer,
			List<ListedPerson> people, List<ListedTag> tags, boolean hasPosts, RenderedMarkup posts,
			@Nullable String older, @Nullable String newest, List<ListedPerson> suggestions,
			List<ListedTag> trending) implements PageView {
	}

	/**
	 * What a page without a query shows.
	 *
	 * @param suggestions whom the viewer might follow
	 * @param trending the tags with the most posts of the last day
	 */
	private record Beside(List<ListedPerson> suggestions, List<ListedTag> trending) {

		static final Beside NOTHING = new Beside(List.of(), List.of());

	}

	/** The same as JSON. */
	private record Json(List<PersonJson> users, List<TagJson> tags, List<PostDto> posts, @Nullable String older,
			List<PersonJson> suggestions, List<TagJson> trending) {

		static Json of(CombinedSearch.Found found, Beside beside) {
			return new Json(people(found.users()), tags(found.tags()), found.posts().json().posts(),
					found.posts().older(), people(beside.suggestions()), tags(beside.trending()));
		}

		private static List<PersonJson> people(List<ListedPerson> people) {
			return people.stream().map(PersonJson::of).toList();
		}

		private static List<TagJson> tags(List<ListedTag> tags) {
			return tags.stream().map((tag) -> new TagJson(tag.tag(), tag.count())).toList();
		}

	}

	private record TagJson(String tag, long posts) {
	}

}
