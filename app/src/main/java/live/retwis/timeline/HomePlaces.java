package live.retwis.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import live.retwis.post.TimelineProperties;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads what stands in a home timeline: what was pushed, merged with what is pulled; and
 * beyond the end of a timeline that is not whole what the authors' own lists have, down
 * to the first post.
 */
@Component
class HomePlaces {

	/** What is noted of a timeline that would be whole, if it could be empty. */
	private static final String NOTHING_IN_IT = "0";

	private final DataNode data;

	private final SortedSets sortedSets;

	private final PulledPosts pulled;

	private final Followed followed;

	private final Returns returns;

	private final TimelineProperties properties;

	HomePlaces(DataNode data, SortedSets sortedSets, PulledPosts pulled, Followed followed, Returns returns,
			TimelineProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.pulled = pulled;
		this.followed = followed;
		this.returns = returns;
		this.properties = properties;
	}

	/**
	 * The newest posts before a place.
	 * @return newest first, fewer when these are all or the timeline ends before; with
	 * their places when there is anything to merge
	 */
	Mono<Read> read(String userId, Optional<Cursor> before, int count) {
		String key = Keys.homeTimeline(userId);
		return this.pulled.followedBy(userId).flatMap((authors) -> {
			if (authors.isEmpty() && before.isEmpty()) {
				return this.sortedSets.highest(key, count).map((ids) -> new Read(ids, List.of(), ids.size() == count));
			}
			return Mono.zip(this.sortedSets.highest(key, before, count), this.pulled.latest(authors, before, count),
					(pushed, lists) -> Read.of(pushed, lists, count));
		});
	}

	/**
	 * What to show instead of a page that the timeline did not fill: the same from the
	 * authors' lists, unless the timeline is whole.
	 * @return empty when it is
	 */
	Mono<List<Cursor>> beyond(String userId, Optional<Cursor> before, int count) {
		return this.data
			.both((c) -> c.zcard(Keys.homeTimeline(userId)), (c) -> c.get(Keys.homeWholeFrom(userId)),
					(size, from) -> End.of((size != null) ? size : 0, from, this.properties.size()))
			.filter((end) -> end.absent() || end.cut())
			.flatMap((end) -> this.followed.latest(userId, before, count).doOnNext((found) -> {
				if (end.absent() && !found.isEmpty()) {
					this.returns.rebuild(userId);
				}
			}));
	}

	/**
	 * What a timeline has.
	 *
	 * @param ids newest first
	 * @param places of them, in the same order; empty when they were not read
	 * @param filled whether what was pushed reaches beyond these
	 */
	record Read(List<String> ids, List<Cursor> places, boolean filled) {

		/** What is not in a timeline any more is older than all that is. */
		static Read of(List<Cursor> pushed, List<List<Cursor>> pulled, int count) {
			if (pulled.isEmpty()) {
				return new Read(ids(pushed), pushed, pushed.size() == count);
			}
			List<List<Cursor>> lists = new ArrayList<>(pulled);
			lists.add(pushed);
			List<Cursor> merged = Followed.newest(lists, count);
			boolean filled = merged.size() == count && !pushed.isEmpty()
					&& Followed.NEWEST_FIRST.compare(merged.get(count - 1), pushed.get(pushed.size() - 1)) <= 0;
			return new Read(ids(merged), merged, filled || pushed.size() == count);
		}

		/** All of them, from the authors' lists. */
		static Read of(List<Cursor> all) {
			return new Read(ids(all), all, true);
		}

		private static List<String> ids(List<Cursor> places) {
			return places.stream().map(Cursor::member).toList();
		}

	}

	/**
	 * How a timeline ends.
	 *
	 * @param absent there is none
	 * @param cut older posts are not in it any more
	 */
	private record End(boolean absent, boolean cut) {

		static End of(long size, @Nullable String from, int most) {
			return new End(size == 0 && from == null, size >= most || (from != null && !from.equals(NOTHING_IN_IT)));
		}

	}

}
