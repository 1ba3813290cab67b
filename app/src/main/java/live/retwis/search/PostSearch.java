package live.retwis.search;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.PageTimeLimit;
import live.retwis.archive.PostArchive;
import live.retwis.post.PostListPage;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Finds posts that have all given words. The lists of the words are compared here,
 * because in a cluster they are on different nodes.
 */
@Component
class PostSearch {

	private final WordRepository words;

	private final RenderedPosts posts;

	private final PostArchive archive;

	PostSearch(WordRepository words, RenderedPosts posts, PostArchive archive) {
		this.words = words;
		this.posts = posts;
		this.archive = archive;
	}

	/** Whether old posts are found, too. */
	boolean findsOldPosts() {
		return this.archive.hasWords();
	}

	/**
	 * A page of posts, newest first: ZREVRANGE of each word in one round trip, then the
	 * posts. If too many of them are deleted or hidden, all are read to fill the page.
	 * Where the lists end, posts in the archive follow.
	 * @param key identifies the search in cursors
	 * @param hidden whose posts the viewer does not see
	 */
	Mono<PostListPage> page(List<String> words, String key, Optional<Cursor> before, int count, HiddenAuthors hidden) {
		return Flux.fromIterable(words).flatMapSequential(this.words::newest).collectList().flatMap((all) -> {
			List<Cursor> recent = CursorOrder.after(inAll(all), before);
			return withArchived(words, recent, before, count)
				.flatMap((places) -> filled(places, key, count, hidden, before.isPresent()));
		});
	}

	/** After a fail-over a post may have two places. The newer one counts. */
	private Mono<List<Cursor>> withArchived(List<String> words, List<Cursor> recent, Optional<Cursor> before,
			int count) {
		int most = RenderedPosts.placesFor(count);
		return (recent.size() >= most) ? Mono.just(recent)
				: this.archive.search(words, before, most)
					.map((archived) -> List.copyOf(Stream.concat(recent.stream(), archived.stream())
						.sorted(CursorOrder.NEWEST_FIRST)
						.collect(Collectors.toMap(Cursor::member, Function.identity(), (newer, older) -> newer,
								LinkedHashMap::new))
						.values()));
	}

	private Mono<PostListPage> filled(List<Cursor> places, String key, int count, HiddenAuthors hidden, boolean whole) {
		int first = Math.min(RenderedPosts.placesFor(count), places.size());
		return page(places.subList(0, first), key, count, hidden, whole)
			.flatMap((page) -> (page.posts().size() >= count || first == places.size()) ? Mono.just(page)
					: PageTimeLimit.hasAsked()
						.flatMap((archive) -> (archive && !page.posts().isEmpty()) ? Mono.just(page)
								: page(places, key, count, hidden, whole)));
	}

	/**
	 * While the archive is away, an older page ends before the first post that needs it.
	 */
	private Mono<PostListPage> page(List<Cursor> places, String key, int count, HiddenAuthors hidden, boolean whole) {
		List<String> postIds = places.stream().map(Cursor::member).toList();
		Map<String, Cursor> known = places.stream().collect(Collectors.toMap(Cursor::member, Function.identity()));
		return this.posts.find(postIds, hidden, whole).map((found) -> PostListPage.of(key, found, known, count));
	}

	/** The places that all lists have. */
	private static List<Cursor> inAll(List<List<Cursor>> lists) {
		List<Cursor> shortest = lists.stream().min(Comparator.comparingInt(Collection::size)).orElse(List.of());
		List<Set<Cursor>> others = lists.stream().filter((list) -> list != shortest).map(Set::copyOf).toList();
		return shortest.stream().filter((place) -> others.stream().allMatch((list) -> list.contains(place))).toList();
	}

}
