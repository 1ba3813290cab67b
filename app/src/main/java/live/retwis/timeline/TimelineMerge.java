package live.retwis.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.follow.FollowRepository;
import live.retwis.redis.CommitOrder;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads a home timeline as if it had no bound. It merges the lists of the reader's own
 * posts and of the posts of everyone whom the reader follows. That is much more work than
 * reading the stored timeline. So it is used only for posts that are not there.
 */
@Component
class TimelineMerge {

	/** Posts read first of each author. Most authors need no more. */
	private static final int FIRST = 50;

	/** Lists read concurrently. */
	private static final int CONCURRENCY = 64;

	private final FollowRepository follows;

	private final SortedSets sortedSets;

	private final OldPosts oldPosts;

	private final DataClock clock;

	TimelineMerge(FollowRepository follows, SortedSets sortedSets, OldPosts oldPosts, DataClock clock) {
		this.follows = follows;
		this.sortedSets = sortedSets;
		this.oldPosts = oldPosts;
		this.clock = clock;
	}

	/** The reader's latest posts before a place, newest first. */
	Mono<List<Cursor>> latest(String userId, Optional<Cursor> before, int count) {
		return Mono.zip(this.follows.allFollowed(userId), this.clock.millis(), (followed, now) -> {
			List<String> authors = new ArrayList<>(followed);
			authors.add(userId);
			long old = now - OldPosts.AGE.toMillis();
			return before.filter((place) -> place.score() < old)
				.map((place) -> this.oldPosts.latest(authors, place, count))
				.orElseGet(() -> latest(authors, before, count));
		}).flatMap(Function.identity());
	}

	/** The latest posts of the authors and of the reader, newest first. */
	Mono<List<Cursor>> latest(String userId, List<String> authors, int count) {
		List<String> all = new ArrayList<>(authors);
		all.add(userId);
		return latest(all, Optional.empty(), count);
	}

	private Mono<List<Cursor>> latest(List<String> authors, Optional<Cursor> before, int count) {
		int first = Math.min(FIRST, count);
		return read(authors, before, first).flatMap((lists) -> {
			List<Cursor> newest = newest(lists.stream().map(Posts::places).toList(), count);
			List<String> more = lists.stream()
				.filter((posts) -> first < count && posts.mayHaveMore(first, newest, count))
				.map(Posts::author)
				.toList();
			return more.isEmpty() ? Mono.just(newest)
					: read(more, before, count).map((longer) -> newest(join(newest, longer), count));
		});
	}

	private Mono<List<Posts>> read(Collection<String> authors, Optional<Cursor> before, int count) {
		return Flux.fromIterable(authors)
			.flatMap((author) -> this.sortedSets.highest(Keys.postsOf(author), before, count)
				.map((places) -> new Posts(author, places)), CONCURRENCY)
			.collectList();
	}

	private static List<List<Cursor>> join(List<Cursor> newest, List<Posts> longer) {
		List<List<Cursor>> all = new ArrayList<>(List.of(newest));
		longer.forEach((posts) -> all.add(posts.places()));
		return all;
	}

	/**
	 * Merges lists. A post that is in several lists appears once.
	 * @param lists each newest first
	 * @return the newest of them, newest first
	 */
	static List<Cursor> newest(List<List<Cursor>> lists, int count) {
		PriorityQueue<Head> heads = new PriorityQueue<>(lists.size() + 1,
				Comparator.comparing(Head::cursor, CommitOrder.NEWEST_FIRST));
		lists.forEach((list) -> Head.add(heads, list, 0));
		List<Cursor> newest = new ArrayList<>(count);
		while (newest.size() < count && !heads.isEmpty()) {
			Head next = heads.remove();
			if (newest.isEmpty() || !newest.get(newest.size() - 1).equals(next.cursor())) {
				newest.add(next.cursor());
			}
			Head.add(heads, next.list(), next.index() + 1);
		}
		return newest;
	}

	/** The latest posts of the authors that readers pull. */
	Mono<Set<String>> pulledOf(Collection<String> authors, int count) {
		return Flux.fromIterable(authors)
			.flatMap((author) -> this.sortedSets.highest(Keys.pulledOf(author), count), CONCURRENCY)
			.flatMapIterable((ids) -> ids)
			.collect(Collectors.toSet());
	}

	private record Posts(String author, List<Cursor> places) {

		/** Whether posts that were not read may be among the newest. */
		boolean mayHaveMore(int read, List<Cursor> newest, int count) {
			return this.places.size() == read && (newest.size() < count
					|| CommitOrder.NEWEST_FIRST.compare(this.places.get(read - 1), newest.get(newest.size() - 1)) < 0);
		}

	}

	/** The next place to take from a list. */
	private record Head(List<Cursor> list, int index) {

		static void add(PriorityQueue<Head> heads, List<Cursor> list, int index) {
			if (index < list.size()) {
				heads.add(new Head(list, index));
			}
		}

		Cursor cursor() {
			return this.list.get(this.index);
		}

	}

}
