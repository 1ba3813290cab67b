package live.retwis.timeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.ArchivedPostCursors;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.data.domain.Range;
import org.springframework.stereotype.Component;

/**
 * The lists of each author's posts, {@code posts:{id}} and {@code pulled:{id}}, together
 * with the posts that have moved from them to the archive. A list whose older posts have
 * moved ends with a {@link ArchiveMarkers}. Only a page that comes upon it asks the
 * archive, so the archive need not answer for other pages.
 */
@Component
public class AuthorPostListReader {

	/** After all posts. */
	private static final Cursor END = new Cursor(Long.MAX_VALUE, "");

	/** The boundary's two members come first in an ascending list. */
	private static final int BOUNDARY = 2;

	private final SortedSetReader sortedSets;

	private final DataNodeCommands data;

	private final ArchivedPostRepository archive;

	AuthorPostListReader(SortedSetReader sortedSets, DataNodeCommands data, ArchivedPostRepository archive) {
		this.sortedSets = sortedSets;
		this.data = data;
		this.archive = archive;
	}

	/**
	 * An author's latest posts before a place, newest first. While the archive is away,
	 * the first page has those in Redis, and older pages fail.
	 */
	Mono<List<Cursor>> latest(String author, Optional<Cursor> before, int count) {
		return inRedis(author, before, count)
			.flatMap((places) -> ArchiveMarkers.in(places).isEmpty() ? Mono.just(places)
					: this.archive.latest(author, before.orElse(END), count)
						.map((archived) -> CursorOrder.newest(List.of(ArchiveMarkers.posts(places), archived), count))
						.onErrorResume((error) -> isAway(error) && before.isEmpty(),
								(away) -> OlderPostsAbsence.without(ArchiveMarkers.posts(places))));
	}

	/** Whether there is an archive. */
	boolean isArchiveUsed() {
		return this.archive.isUsed();
	}

	private static boolean isAway(Throwable error) {
		return error instanceof ArchiveAwayException;
	}

	/** The latest posts in Redis, and the boundary if it comes among them. */
	Mono<List<Cursor>> inRedis(String author, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(Keys.postsOf(author), before, count);
	}

	/**
	 * The latest archived posts of several authors, by author. Asks the archive once.
	 * @param before for each author the place after which to begin
	 * @param count how many of the newest posts of all authors are wanted
	 */
	Mono<Map<String, ArchivedPostCursors>> archived(Map<String, Cursor> before, int count) {
		return this.archive.latest(before, count, false);
	}

	/**
	 * The latest archived posts of several authors before a place, a list for each.
	 * @param pulled whether only posts count that readers pull
	 */
	Mono<List<List<Cursor>>> archived(Collection<String> authors, Optional<Cursor> before, int count, boolean pulled) {
		Map<String, Cursor> each = new HashMap<>();
		authors.forEach((author) -> each.put(author, before.orElse(END)));
		return this.archive.latest(each, count, pulled)
			.map((found) -> found.values().stream().map(ArchivedPostCursors::places).toList());
	}

	/** An author's earliest posts in Redis after a place, oldest first. */
	public Mono<List<Cursor>> earliestInRedis(String author, Cursor after, int count) {
		return this.sortedSets.lowest(Keys.postsOf(author), Optional.of(after), count + BOUNDARY)
			.map((places) -> ArchiveMarkers.posts(places).stream().limit(count).toList());
	}

	/**
	 * An author's earliest posts after a place, oldest first. The list in Redis is read
	 * first: posts that move to the archive meanwhile are in that list or in the archive.
	 */
	Mono<List<Cursor>> earliest(String author, Cursor after, int count) {
		return earliestInRedis(author, after, count)
			.flatMap((young) -> isArchived(author).flatMap((archived) -> !archived ? Mono.just(young)
					: this.archive.earliest(author, after, count).map((old) -> oldest(old, young, count))));
	}

	/**
	 * An author's latest posts that were committed within one of some times, newest
	 * first. Redis is asked first: posts that move meanwhile are there or in the archive.
	 * While the archive is away, its posts are missing.
	 * @param times each from its first ms to its last one
	 */
	public Mono<List<String>> within(String author, List<Range<Long>> times, int count) {
		return Flux.fromIterable(times)
			.flatMap((time) -> inRedisWithin(author, time, count))
			.collectList()
			.zipWhen((young) -> isArchived(author).flatMap(
					(archived) -> archived ? this.archive.within(author, times, count) : Mono.just(List.<Cursor>of()))
				.onErrorResume(ArchiveAwayException.class, (away) -> OlderPostsAbsence.without(List.<Cursor>of())))
			.map(TupleUtils.function(
					(young, old) -> CursorOrder.newest(HomeTimelineFromAuthorLists.join(young, List.of(old)), count)
						.stream()
						.map(Cursor::member)
						.toList()));
	}

	private Mono<List<Cursor>> inRedisWithin(String author, Range<Long> time, int count) {
		long first = time.getLowerBound().getValue().orElseThrow();
		long last = time.getUpperBound().getValue().orElseThrow();
		return inRedis(author, Optional.of(new Cursor(last + 1, "")), count)
			.map((places) -> ArchiveMarkers.posts(places).stream().filter((place) -> place.score() >= first).toList());
	}

	/** ZMSCORE: whether posts of the author have moved to the archive. */
	Mono<Boolean> isArchived(String author) {
		return this.data.zmscore(Keys.postsOf(author), List.of(ArchiveMarkers.MARK))
			.map((scores) -> scores.get(0) != null);
	}

	/** ZCARD and ZMSCORE: the number of an author's posts. */
	public Mono<AuthorPostCount> count(String author) {
		String key = Keys.postsOf(author);
		return Mono.zip(this.data.zcard(key), this.data.zmscore(key, List.of(ArchiveMarkers.COUNT)), (size, scores) -> {
			Double archived = scores.get(0);
			return (archived != null) ? new AuthorPostCount(size - BOUNDARY + archived.longValue(), true)
					: new AuthorPostCount(size, false);
		});
	}

	/**
	 * ZMSCORE: those of the posts that are by the author. Posts that are not in the list
	 * may be in the archive.
	 * @return empty when only the archive knows, and it is away
	 */
	Mono<List<String>> by(String author, List<String> postIds) {
		return this.sortedSets.present(Keys.postsOf(author), postIds)
			.flatMap((found) -> isArchived(author)
				.flatMap((archived) -> archived ? withArchived(author, postIds, found) : Mono.just(found)))
			.onErrorResume(ArchiveAwayException.class, (away) -> Mono.empty());
	}

	private Mono<List<String>> withArchived(String author, List<String> postIds, List<String> found) {
		return this.archive.by(author, postIds.stream().filter((id) -> !found.contains(id)).toList())
			.map((old) -> HomeTimelineFromAuthorLists.join(found, old));
	}

	private static List<Cursor> oldest(List<Cursor> some, List<Cursor> more, int count) {
		return HomeTimelineFromAuthorLists.join(some, more)
			.stream()
			.distinct()
			.sorted(CursorOrder.NEWEST_FIRST.reversed())
			.limit(count)
			.toList();
	}

}
