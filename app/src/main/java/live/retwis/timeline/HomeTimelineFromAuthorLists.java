package live.retwis.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads a home timeline as if it had no bound. It merges the lists of the reader's own
 * posts and of the posts of everyone whom the reader follows. That is much more work than
 * reading the stored timeline. So it is used only for posts that are not there.
 */
@Component
class HomeTimelineFromAuthorLists {

	/** Posts read first of each author. Most authors need no more. */
	private static final int FIRST = 50;

	/** Lists read concurrently. */
	private static final int CONCURRENCY = 64;

	private final FollowRepository follows;

	private final SortedSetReader sortedSets;

	private final AuthorPostListReader authorPosts;

	private final OlderAuthorPostsCache olderPosts;

	private final DataClock clock;

	HomeTimelineFromAuthorLists(FollowRepository follows, SortedSetReader sortedSets, AuthorPostListReader authorPosts,
			OlderAuthorPostsCache olderPosts, DataClock clock) {
		this.follows = follows;
		this.sortedSets = sortedSets;
		this.authorPosts = authorPosts;
		this.olderPosts = olderPosts;
		this.clock = clock;
	}

	/**
	 * The reader's latest posts before a place, newest first.
	 * @param hidden whose posts are left out
	 */
	Mono<List<Cursor>> latest(String userId, Optional<Cursor> before, int count, HiddenAuthors hidden) {
		return Mono.zip(this.follows.allFollowed(userId), this.clock.millis(), (followed, now) -> {
			List<String> authors = new ArrayList<>(followed);
			authors.removeIf(hidden::contains);
			authors.add(userId);
			long old = now - OlderAuthorPostsCache.AGE.toMillis();
			return before.filter((place) -> place.score() < old)
				.map((place) -> this.olderPosts.latest(authors, place, count))
				.orElseGet(() -> latest(authors, before, count));
		}).flatMap(Function.identity());
	}

	/**
	 * The latest posts of the authors and of the reader in Redis, newest first. Where an
	 * author's older posts are in the archive, they end above those.
	 */
	Mono<NewestPostRange> latestInRedis(String userId, List<String> authors, int count) {
		List<String> all = new ArrayList<>(authors);
		all.add(userId);
		return merged(all, Optional.empty(), count).map((merged) -> merged.aboveArchive(count));
	}

	/** While the archive is away, the first page has the posts in Redis. */
	private Mono<List<Cursor>> latest(List<String> authors, Optional<Cursor> before, int count) {
		return merged(authors, before, count).flatMap((merged) -> {
			List<String> archived = merged.archived(count);
			return archived.isEmpty() ? Mono.just(merged.newest())
					: this.authorPosts.archived(archived, before, count, false)
						.map((old) -> CursorOrder.newest(join(List.of(merged.newest()), old), count))
						.onErrorResume((error) -> error instanceof ArchiveAwayException && before.isEmpty(),
								(away) -> OlderPostsAbsence.without(merged.newest()));
		});
	}

	private Mono<Merged> merged(List<String> authors, Optional<Cursor> before, int count) {
		int first = Math.min(FIRST, count);
		return read(authors, before, first).flatMap((lists) -> {
			List<Cursor> newest = CursorOrder.newest(lists.stream().map(Posts::places).toList(), count);
			List<String> more = lists.stream()
				.filter((posts) -> first < count && posts.mayHaveMore(newest, count))
				.map(Posts::author)
				.toList();
			return more.isEmpty() ? Mono.just(Merged.of(newest, lists)) : read(more, before, count)
				.map((longer) -> Merged.of(
						CursorOrder.newest(join(List.of(newest), longer.stream().map(Posts::places).toList()), count),
						join(lists, longer)));
		});
	}

	private Mono<List<Posts>> read(Collection<String> authors, Optional<Cursor> before, int count) {
		return Flux.fromIterable(authors)
			.flatMap((author) -> this.authorPosts.inRedis(author, before, count)
				.map((places) -> Posts.of(author, places, count)), CONCURRENCY)
			.collectList();
	}

	/** Both lists, one after the other. */
	static <T> List<T> join(List<T> some, List<T> more) {
		return Stream.concat(some.stream(), more.stream()).toList();
	}

	/** The latest posts of the authors that readers pull. */
	Mono<Set<String>> pulledOf(Collection<String> authors, int count) {
		return Flux.fromIterable(authors)
			.flatMap((author) -> this.sortedSets.highest(Keys.pulledOf(author), count), CONCURRENCY)
			.flatMapIterable((ids) -> ids)
			.filter((id) -> !ArchiveMarkers.isMarker(id))
			.collect(Collectors.toSet());
	}

	/**
	 * What was read of an author's list.
	 *
	 * @param full whether the list goes on in Redis
	 * @param archived ms of the author's newest archived post, if this reaches down to
	 * there
	 */
	private record Posts(String author, List<Cursor> places, boolean full, OptionalLong archived) {

		static Posts of(String author, List<Cursor> read, int count) {
			OptionalLong archived = ArchiveMarkers.in(read);
			return new Posts(author, ArchiveMarkers.posts(read), read.size() == count && archived.isEmpty(), archived);
		}

		/** Whether posts in Redis that were not read may be among the newest. */
		boolean mayHaveMore(List<Cursor> newest, int count) {
			return this.full && (newest.size() < count || CursorOrder.NEWEST_FIRST
				.compare(this.places.get(this.places.size() - 1), newest.get(newest.size() - 1)) < 0);
		}

	}

	/**
	 * The newest posts of several authors in Redis.
	 *
	 * @param archived for each author with posts in the archive below, the ms of the
	 * newest
	 */
	private record Merged(List<Cursor> newest, Map<String, Long> archived) {

		static Merged of(List<Cursor> newest, List<Posts> lists) {
			Map<String, Long> archived = new HashMap<>();
			lists.forEach((posts) -> posts.archived().ifPresent((millis) -> archived.put(posts.author(), millis)));
			return new Merged(newest, archived);
		}

		/** The authors whose archived posts may be among the newest. */
		List<String> archived(int count) {
			long last = (this.newest.size() < count) ? Long.MIN_VALUE : this.newest.get(count - 1).score();
			return this.archived.entrySet()
				.stream()
				.filter((author) -> author.getValue() >= last)
				.map(Map.Entry::getKey)
				.toList();
		}

		/** The posts above those that are in the archive. */
		NewestPostRange aboveArchive(int count) {
			List<String> below = archived(count);
			if (below.isEmpty()) {
				return new NewestPostRange(this.newest,
						(this.newest.size() == count) ? this.newest.get(count - 1) : null);
			}
			long end = Collections.max(this.archived.values());
			return new NewestPostRange(this.newest.stream().filter((place) -> place.score() > end).toList(),
					new Cursor(end + 1, ""));
		}

	}

}
