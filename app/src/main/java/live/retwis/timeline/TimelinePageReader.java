package live.retwis.timeline;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.archive.PageTimeLimit;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.InstanceLogPosition;
import live.retwis.post.PostListPage;
import live.retwis.post.PostListSlice;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.BestEffortReads;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Reads pages of timelines in two round trips. The first one reads the ids in the list,
 * and whatever the page shows beside it. The second one reads the posts that are not in
 * the cache. A page is complete up to a position in the log, which is taken before the
 * reads. It has the posts of all entries up to there, if need be from
 * {@link PendingFanOutIndex}, and none of the posts that they delete.
 */
@Component
public class TimelinePageReader {

	/**
	 * Ids that are read at once to fill a page, if a few more were not enough.
	 */
	private static final int MORE = 200;

	/**
	 * How often more ids are read, at most. First it is a few, then as many as a whole
	 * home timeline has.
	 */
	private static final int ROUNDS = 5;

	private final TimelineRepository timelines;

	private final HomeTimelineReader homes;

	private final RenderedPosts posts;

	private final PendingFanOutIndex unfinished;

	private final InstanceLogPosition heard;

	TimelinePageReader(TimelineRepository timelines, HomeTimelineReader homes, RenderedPosts posts,
			PendingFanOutIndex unfinished, InstanceLogPosition heard) {
		this.timelines = timelines;
		this.homes = homes;
		this.posts = posts;
		this.unfinished = unfinished;
		this.heard = heard;
	}

	/**
	 * A page of a user's home timeline, with nothing beside it.
	 * @param hidden whose posts the user does not see. It is asked after the ids, and
	 * should be on its way by then
	 */
	Mono<TimelinePage<Boolean>> home(String userId, Optional<Cursor> before, int count, Mono<HiddenAuthors> hidden) {
		int places = RenderedPosts.placesFor(count);
		return this.heard.position()
			.flatMap((position) -> this.homes.read(userId, before, places)
				.flatMap((read) -> hidden.flatMap((authors) -> home(userId, read, before, places, count, authors)
					.flatMap((page) -> filled(Keys.homeTimeline(userId), page, count, ROUNDS, before.isEmpty(),
							(end, missing, size) -> this.homes.read(userId, end, size)
								.flatMap((more) -> home(userId, more, end, size, missing, authors))))))
				.map((page) -> new TimelinePage<>(page, position, true)));
	}

	/**
	 * If the timeline does not fill the page, this reads together with the posts whether
	 * the timeline is complete. With an archive it reads that first, so that the archive
	 * is not asked for posts of two pages.
	 */
	private Mono<PostListPage> home(String userId, HomeTimelineReader.Read read, Optional<Cursor> before, int places,
			int count, HiddenAuthors hidden) {
		Function<HomeTimelineReader.Read, Mono<PostListPage>> page = (some) -> this.homes
			.withArchived(some, before, places, hidden)
			.flatMap((all) -> homePage(userId, all, before, count, hidden));
		if (read.filled()) {
			return page.apply(read);
		}
		Mono<HomeTimelineReader.Read> beyond = this.homes.beyond(userId, before, places, read, hidden);
		return this.homes.isArchiveUsed() ? beyond.defaultIfEmpty(read).flatMap(page)
				: Mono
					.zip(page.apply(read), beyond.singleOptional(),
							(first, whole) -> whole.map(page).orElse(Mono.just(first)))
					.flatMap(Function.identity());
	}

	private Mono<PostListPage> homePage(String userId, HomeTimelineReader.Read read, Optional<Cursor> before, int count,
			HiddenAuthors hidden) {
		read.places().forEach(this.timelines::learn);
		return page(Keys.homeTimeline(userId), read.ids(), count, read.beside().left(), hidden, before.isPresent());
	}

	/** Whether there is an archive, which older pages may ask. */
	public boolean isArchiveUsed() {
		return this.homes.isArchiveUsed();
	}

	/**
	 * A page of a user's own posts; empty when {@code beside} is empty.
	 * @param hidden whose posts the viewer does not see. Who has muted the user sees the
	 * user's posts here all the same, but who has blocked the user sees none
	 */
	public <T> Mono<TimelinePage<T>> postsOf(String userId, Optional<Cursor> before, int count,
			Mono<HiddenAuthors> hidden, Mono<T> beside) {
		return this.heard.position()
			.flatMap((position) -> Mono.zip(ownPosts(userId, before, RenderedPosts.placesFor(count)), hidden, beside)
				.flatMap(TupleUtils.function((postIds, authors,
						extra) -> ownPage(userId, postIds, before, count, authors.onProfileOf(userId))
							.map((page) -> new TimelinePage<>(page, position, extra)))));
	}

	private Mono<PostListPage> ownPage(String userId, List<String> postIds, Optional<Cursor> before, int count,
			HiddenAuthors hidden) {
		String key = Keys.postsOf(userId);
		return hidden.contains(userId) ? Mono.just(PostListPage.EMPTY)
				: page(key, postIds, count, Set.of(), hidden, before.isPresent()).flatMap((page) -> filled(key, page,
						count, ROUNDS, before.isEmpty(), (end, missing, size) -> ownPosts(userId, end, size)
							.flatMap((more) -> page(key, more, missing, Set.of(), hidden, true))));
	}

	private Mono<List<String>> ownPosts(String userId, Optional<Cursor> before, int count) {
		return this.timelines.newestOf(userId, before, count, this.unfinished.postsOf(userId));
	}

	/**
	 * Reads more while the page has too few posts. Posts of a deleted account are never
	 * shown, but stay in lists until the workers remove them, and posts that the viewer
	 * does not see stay for good. So a whole part of a list may have nothing to show. A
	 * page that has asked the archive does that once more only if it would be empty.
	 * While the archive is away, a page ends where it needs the archive, and so does one
	 * that would read more lists of authors than the viewer may. An older page that would
	 * be empty fails.
	 */
	private static Mono<PostListPage> filled(String key, PostListPage page, int count, int rounds, boolean first,
			PartReader part) {
		String end = page.older();
		return (page.posts().size() >= count || end == null || rounds == 0) ? Mono.just(page)
				: PageTimeLimit.hasAsked()
					.flatMap((archive) -> (archive && !page.posts().isEmpty()) ? Mono.just(page)
							: longer(key, page, end, count, archive ? 1 : rounds, first, part));
	}

	private static Mono<PostListPage> longer(String key, PostListPage page, String end, int count, int rounds,
			boolean first, PartReader part) {
		int missing = count - page.posts().size();
		int size = (rounds == ROUNDS) ? RenderedPosts.placesFor(missing) : MORE;
		return part.read(Cursor.parse(end, key), missing, size)
			.flatMap((more) -> filled(key, page.with(more), count, rounds - 1, first, part))
			.onErrorResume((error) -> (first || !page.posts().isEmpty()) && endsPage(error),
					(error) -> (error instanceof ArchiveAwayException) ? OlderPostsAbsence.without(page)
							: Mono.just(page))
			.defaultIfEmpty(page);
	}

	private static boolean endsPage(Throwable error) {
		return error instanceof ArchiveAwayException || (error instanceof ProblemException problem
				&& problem.getStatusCode() == HttpStatus.TOO_MANY_REQUESTS);
	}

	/**
	 * A page of a list.
	 * @param unfollowed authors whose posts are left out, because fan-out has not removed
	 * them from the list yet
	 * @param hidden authors whose posts the viewer does not see
	 * @param older whether it ends before a post that only the archive has, which is
	 * away; else that post is left out
	 */
	private Mono<PostListPage> page(String key, List<String> postIds, int count, Set<String> unfollowed,
			HiddenAuthors hidden, boolean older) {
		return this.posts.find(postIds, hidden, older)
			.map((slice) -> unfollowed.isEmpty() ? slice
					: slice.without((post) -> unfollowed.contains(post.listed().authorId())))
			.zipWith(this.timelines.places(key, PostListPage.ends(postIds, count)))
			.flatMap(TupleUtils.function((slice, some) -> page(key, slice, some, count)));
	}

	/** A page that is cut may end anywhere. */
	private Mono<PostListPage> page(String key, PostListSlice slice, Map<String, Cursor> places, int count) {
		return (slice.isCut() ? this.timelines.places(key, slice.ids()) : Mono.just(places))
			.map((all) -> PostListPage.of(key, slice, all, count))
			.flatMap((page) -> OlderPostsAbsence.withoutIf(slice.isCut() && page.posts().size() < count, page));
	}

	/**
	 * A page of the public timeline. {@code beside} may take two round trips of its own
	 * at the same time.
	 * @param hidden whose posts the viewer does not see
	 */
	<T> Mono<TimelinePage<T>> everyone(Optional<Cursor> before, int count, Mono<HiddenAuthors> hidden,
			Function<BestEffortReads, Mono<T>> beside) {
		Mono<TimelinePage<Boolean>> timeline = this.heard.position()
			.flatMap((position) -> Mono
				.zip(this.timelines.publicPage(before, RenderedPosts.placesFor(count)), hidden,
						(postIds, authors) -> publicPage(postIds, before, count, authors))
				.flatMap(Function.identity())
				.map((page) -> new TimelinePage<>(page, position, true)));
		return BestEffortReads.zip(timeline, beside,
				(page, extra) -> new TimelinePage<>(page.posts(), page.position(), extra));
	}

	private Mono<PostListPage> publicPage(List<String> postIds, Optional<Cursor> before, int count,
			HiddenAuthors hidden) {
		String key = Keys.PUBLIC_TIMELINE;
		return page(key, postIds, count, Set.of(), hidden, before.isPresent()).flatMap((page) -> filled(key, page,
				count, ROUNDS, before.isEmpty(), (end, missing, size) -> this.timelines.publicPage(end, size)
					.flatMap((more) -> page(key, more, missing, Set.of(), hidden, before.isPresent()))));
	}

	/** Reads the next part of a list. */
	private interface PartReader {

		/**
		 * Reads the posts of a part.
		 * @param from where the part begins
		 * @param most most posts to show
		 * @param size how many ids of the list to read
		 */
		Mono<PostListPage> read(Optional<Cursor> from, int most, int size);

	}

}
