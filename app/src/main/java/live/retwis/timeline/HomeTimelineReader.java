package live.retwis.timeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.fanout.UnfinishedFanOut;
import live.retwis.fanout.UnfinishedFanOut.Unfinished;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.CommitOrder;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads what stands in a home timeline: what was pushed, merged with what is pulled and
 * with what fan-out has not done yet; and beyond the end of a timeline that is not whole
 * what the authors' own lists have, down to the first post.
 */
@Component
class HomeTimelineReader {

	/** Authors whose waiting posts are looked through for each page. */
	private static final int MANY = 500;

	/**
	 * An empty sorted set does not exist in Redis. A mark that begins so says that the
	 * timeline is there although it has no post.
	 */
	private static final String NOTHING_IN_IT = "0";

	/** After this, the mark has the ms after which nothing is missing in the timeline. */
	private static final String COMPLETE_AFTER = ">";

	private final DataNode data;

	private final SortedSets sortedSets;

	private final PulledPosts pulled;

	private final UnfinishedFanOut unfinishedFanOut;

	private final FollowRepository follows;

	private final TimelineMerge timelineMerge;

	private final RebuildQueue rebuildQueue;

	private final TimelineProperties properties;

	HomeTimelineReader(DataNode data, SortedSets sortedSets, PulledPosts pulled, UnfinishedFanOut unfinishedFanOut,
			FollowRepository follows, TimelineMerge timelineMerge, RebuildQueue rebuildQueue,
			TimelineProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.pulled = pulled;
		this.unfinishedFanOut = unfinishedFanOut;
		this.follows = follows;
		this.timelineMerge = timelineMerge;
		this.rebuildQueue = rebuildQueue;
		this.properties = properties;
	}

	/**
	 * The newest posts before a place, with what fan-out has not done yet.
	 * @return newest first, fewer when these are all or the timeline ends before; with
	 * their places when there is anything to merge
	 */
	Mono<Read> read(String userId, Optional<Cursor> before, int count) {
		String key = Keys.homeTimeline(userId);
		return Mono.zip(this.pulled.followedBy(userId), unfinished(userId), (authors, unfinished) -> {
			if (authors.isEmpty() && before.isEmpty() && unfinished.isNothing()) {
				return this.sortedSets.highest(key, count).map((ids) -> Read.of(ids, count));
			}
			Mono<List<Cursor>> places = this.sortedSets.highest(key, before, count);
			Mono<List<List<Cursor>>> pulled = this.pulled.latest(authors, before, count);
			return Mono.zip(places, pulled, Sources::new)
				.zipWith(beside(userId, unfinished, before, count),
						(sources, beside) -> Read.of(sources.timeline(), sources.pulled(), beside, before, count));
		}).flatMap(Function.identity());
	}

	/**
	 * Where posts of a page come from, newest first.
	 *
	 * @param timeline places in the timeline itself
	 * @param pulled places of the posts of each pulled author
	 */
	private record Sources(List<Cursor> timeline, List<List<Cursor>> pulled) {
	}

	/** Where posts of very many wait, it is asked first whom the reader follows. */
	private Mono<Unfinished> unfinished(String userId) {
		return (this.unfinishedFanOut.authors() <= MANY) ? Mono.fromSupplier(() -> this.unfinishedFanOut.of(userId))
				: this.follows.allFollowed(userId)
					.map((timelineMerge) -> this.unfinishedFanOut.of(userId, timelineMerge));
	}

	/**
	 * Of what is unfinished the reader's part, by whom the reader follows now: ZMSCORE,
	 * and the posts of who has just been followed.
	 */
	private Mono<Beside> beside(String userId, Unfinished unfinished, Optional<Cursor> before, int count) {
		Set<String> authors = new HashSet<>(unfinished.posts().keySet());
		authors.addAll(unfinished.changed());
		return unfinished.isNothing() ? Mono.just(Beside.NOTHING)
				: this.follows.followedAmong(userId, authors).flatMap((timelineMerge) -> {
					Set<String> left = new HashSet<>(unfinished.changed());
					left.removeAll(timelineMerge);
					List<List<Cursor>> posts = Stream.concat(timelineMerge.stream(), Stream.of(userId))
						.map((author) -> unfinished.posts().getOrDefault(author, List.of()))
						.toList();
					return Flux.fromIterable(unfinished.changed())
						.filter(timelineMerge::contains)
						.flatMap((author) -> this.sortedSets.highest(Keys.postsOf(author), before, count))
						.collectList()
						.map((found) -> new Beside(join(posts, found), left));
				});
	}

	private static List<List<Cursor>> join(List<List<Cursor>> some, List<List<Cursor>> more) {
		return Stream.concat(some.stream(), more.stream()).toList();
	}

	/**
	 * What to show instead of a page that the timeline did not fill: the same from the
	 * authors' lists, unless the timeline has all posts of the page.
	 * @return empty when it has; the timeline anew when it was made meanwhile
	 */
	Mono<Read> beyond(String userId, Optional<Cursor> before, int count, Read read) {
		return Mono
			.zip(this.data.zcard(Keys.homeTimeline(userId)),
					this.data.get(Keys.homeCompleteFrom(userId)).defaultIfEmpty(""),
					(size, mark) -> End.of(size, mark, this.properties.size()))
			.filter((end) -> !end.has(read, count) || end.isNewerThan(read, before.isEmpty()))
			.flatMap((end) -> end.has(read, count) ? read(userId, before, count).map(Read::asFilled)
					: beyond(userId, before, count, read, end));
	}

	private Mono<Read> beyond(String userId, Optional<Cursor> before, int count, Read read, End end) {
		return this.timelineMerge.latest(userId, before, count).doOnNext((found) -> {
			if (end.absent() && !found.isEmpty()) {
				this.rebuildQueue.rebuild(userId);
			}
		}).map((all) -> Read.of(all, List.of(), read.beside(), before, count).asFilled());
	}

	/**
	 * What is merged into a timeline, for fan-out has not put it there.
	 *
	 * @param posts lists of them, each newest first
	 * @param left whose posts fan-out has not taken out yet
	 */
	record Beside(List<List<Cursor>> posts, Set<String> left) {

		static final Beside NOTHING = new Beside(List.of(), Set.of());

	}

	/**
	 * What a timeline has.
	 *
	 * @param ids newest first
	 * @param places of them, in the same order; empty when they were not read
	 * @param pushed how many of the timeline's own were read
	 * @param filled whether what was pushed reaches beyond these
	 * @param beside what is merged into them
	 */
	record Read(List<String> ids, List<Cursor> places, int pushed, boolean filled, Beside beside) {

		/** Nothing is merged into these. */
		static Read of(List<String> ids, int count) {
			return new Read(ids, List.of(), ids.size(), ids.size() == count, Beside.NOTHING);
		}

		/** What is not in a timeline any more is older than all that is. */
		static Read of(List<Cursor> pushed, List<List<Cursor>> pulled, Beside beside, Optional<Cursor> before,
				int count) {
			List<List<Cursor>> lists = new ArrayList<>(pulled);
			lists.add(pushed);
			beside.posts().forEach((posts) -> lists.add(CommitOrder.after(posts, before)));
			List<Cursor> merged = TimelineMerge.newest(lists, count);
			boolean filled = merged.size() == count && !pushed.isEmpty()
					&& CommitOrder.NEWEST_FIRST.compare(merged.get(count - 1), pushed.get(pushed.size() - 1)) <= 0;
			return new Read(merged.stream().map(Cursor::member).toList(), merged, pushed.size(),
					filled || pushed.size() == count, beside);
		}

		/** It is known that there are no others. */
		Read asFilled() {
			return new Read(this.ids, this.places, this.pushed, true, this.beside);
		}

	}

	/**
	 * How a timeline ends.
	 *
	 * @param size how many posts it has
	 * @param absent there is none, or one that was cut has no post any more
	 * @param cut older posts are not in it any more
	 * @param after the ms after which none is missing, although it was cut
	 */
	private record End(long size, boolean absent, boolean cut, long after) {

		/** Whether the timeline was made after that was read of it. */
		boolean isNewerThan(Read read, boolean newestPage) {
			return this.size > read.pushed() && (newestPage || read.pushed() == 0);
		}

		/** Nothing is missing in it, or only what is older than a full page. */
		boolean has(Read page, int count) {
			return !this.absent && (!this.cut
					|| (page.places().size() == count && page.places().get(count - 1).score() > this.after));
		}

		/** Of an older release, what is full counts as cut. */
		static End of(long size, String mark, int most) {
			boolean full = size >= most;
			int after = full ? -1 : mark.indexOf(COMPLETE_AFTER);
			return new End(size, size == 0 && !mark.startsWith(NOTHING_IN_IT),
					full || (!mark.isEmpty() && !mark.equals(NOTHING_IN_IT)),
					(after < 0) ? Long.MAX_VALUE : Long.parseLong(mark.substring(after + 1)));
		}

	}

}
