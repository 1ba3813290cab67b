package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.ScoredValue;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads sorted sets page by page, from an exclusive cursor. The order is by score, then
 * by member.
 */
@Component
public class SortedSets {

	/** Most members of the same score read at once. The score is a millisecond. */
	private static final int TIES = 1000;

	/** A cursor's score rarely has more members than this. */
	private static final int FEW = 2;

	private final DataNode data;

	SortedSets(DataNode data) {
		this.data = data;
	}

	/** ZREVRANGE: the highest members. */
	public Mono<List<String>> highest(String key, int count) {
		return this.data.call((c) -> c.zrevrange(key, 0, count - 1));
	}

	/**
	 * The members before the cursor, highest first: ZREVRANGE, or with a cursor
	 * ZREVRANGEBYSCORE. If many members have the cursor's score, two more commands
	 * follow.
	 */
	public Mono<List<Cursor>> highest(String key, Optional<Cursor> before, int count) {
		if (before.isEmpty()) {
			return this.data.call((c) -> c.zrevrangeWithScores(key, 0, count - 1)).map(SortedSets::places);
		}
		Cursor from = before.get();
		int limit = count + FEW;
		return this.data
			.call((c) -> c.zrevrangebyscoreWithScores(key,
					Range.from(Boundary.unbounded(), Boundary.including(from.score())), Limit.from(limit)))
			.map(SortedSets::places)
			.flatMap((read) -> {
				List<Cursor> found = read.stream()
					.filter((place) -> place.score() < from.score() || place.member().compareTo(from.member()) < 0)
					.limit(count)
					.toList();
				return (found.size() == count || read.size() < limit) ? Mono.just(found)
						: highestAmongTies(key, from, count);
			});
	}

	private Mono<List<Cursor>> highestAmongTies(String key, Cursor from, int count) {
		Range<Long> score = Range.create(from.score(), from.score());
		return Mono.zip(
				ties((limit) -> this.data.call((c) -> c.zrevrangebyscoreWithScores(key, score, limit)),
						(member) -> member.compareTo(from.member()) < 0, count, 0),
				this.data.call((c) -> c.zrevrangebyscoreWithScores(key,
						Range.from(Boundary.unbounded(), Boundary.excluding(from.score())), Limit.from(count))),
				(ties, rest) -> join(ties, rest, count));
	}

	/**
	 * The members after the cursor, lowest first: ZRANGE, or with a cursor two
	 * ZRANGEBYSCORE in one round trip.
	 */
	public Mono<List<Cursor>> lowest(String key, Optional<Cursor> after, int count) {
		if (after.isEmpty()) {
			return this.data.call((c) -> c.zrangeWithScores(key, 0, count - 1)).map(SortedSets::places);
		}
		Cursor from = after.get();
		Range<Long> score = Range.create(from.score(), from.score());
		return Mono.zip(
				ties((limit) -> this.data.call((c) -> c.zrangebyscoreWithScores(key, score, limit)),
						(member) -> member.compareTo(from.member()) > 0, count, 0),
				this.data.call((c) -> c.zrangebyscoreWithScores(key,
						Range.from(Boundary.excluding(from.score()), Boundary.unbounded()), Limit.from(count))),
				(ties, rest) -> join(ties, rest, count));
	}

	/**
	 * The members that have the cursor's score and lie beyond the cursor. Reads more
	 * batches when there are many.
	 */
	private static Mono<List<ScoredValue<String>>> ties(Function<Limit, Mono<List<ScoredValue<String>>>> read,
			Predicate<String> beyond, int count, int offset) {
		return read.apply(Limit.create(offset, TIES)).flatMap((ties) -> {
			List<ScoredValue<String>> found = ties.stream().filter((tie) -> beyond.test(tie.getValue())).toList();
			return (ties.size() < TIES || found.size() >= count) ? Mono.just(found)
					: ties(read, beyond, count - found.size(), offset + TIES).map((more) -> concat(found, more));
		});
	}

	private static List<ScoredValue<String>> concat(List<ScoredValue<String>> some, List<ScoredValue<String>> more) {
		List<ScoredValue<String>> all = new ArrayList<>(some);
		all.addAll(more);
		return all;
	}

	private static List<Cursor> join(List<ScoredValue<String>> ties, List<ScoredValue<String>> rest, int count) {
		List<ScoredValue<String>> all = concat(ties, rest);
		return places(all.subList(0, Math.min(count, all.size())));
	}

	private static List<Cursor> places(List<ScoredValue<String>> values) {
		return values.stream().map((value) -> new Cursor((long) value.getScore(), value.getValue())).toList();
	}

}
