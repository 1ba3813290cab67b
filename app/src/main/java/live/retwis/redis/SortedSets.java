package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.ScoredValue;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads sorted sets page by page: by score, ties by member, from an exclusive cursor.
 */
@Component
public class SortedSets {

	/** Members of one score, that is of one millisecond, that a page looks through. */
	private static final int TIES = 1000;

	private final DataNode data;

	SortedSets(DataNode data) {
		this.data = data;
	}

	/**
	 * The members before the cursor, highest first: ZREVRANGE, or from a cursor on two
	 * ZREVRANGEBYSCORE in one round trip.
	 */
	public Mono<List<Cursor>> highest(String key, Optional<Cursor> before, int count) {
		if (before.isEmpty()) {
			return this.data.call((c) -> c.zrevrangeWithScores(key, 0, count - 1)).map(SortedSets::places);
		}
		Cursor from = before.get();
		return Mono.zip(this.data
			.call((c) -> c.zrevrangebyscoreWithScores(key, Range.create(from.score(), from.score()), Limit.from(TIES))),
				this.data.call((c) -> c.zrevrangebyscoreWithScores(key,
						Range.from(Boundary.unbounded(), Boundary.excluding(from.score())), Limit.from(count))),
				(ties, rest) -> join(
						ties.stream().filter((tie) -> tie.getValue().compareTo(from.member()) < 0).toList(), rest,
						count));
	}

	/**
	 * The members after the cursor, lowest first: ZRANGE, or from a cursor on two
	 * ZRANGEBYSCORE in one round trip.
	 */
	public Mono<List<Cursor>> lowest(String key, Optional<Cursor> after, int count) {
		if (after.isEmpty()) {
			return this.data.call((c) -> c.zrangeWithScores(key, 0, count - 1)).map(SortedSets::places);
		}
		Cursor from = after.get();
		return Mono.zip(this.data
			.call((c) -> c.zrangebyscoreWithScores(key, Range.create(from.score(), from.score()), Limit.from(TIES))),
				this.data.call((c) -> c.zrangebyscoreWithScores(key,
						Range.from(Boundary.excluding(from.score()), Boundary.unbounded()), Limit.from(count))),
				(ties, rest) -> join(
						ties.stream().filter((tie) -> tie.getValue().compareTo(from.member()) > 0).toList(), rest,
						count));
	}

	private static List<Cursor> join(List<ScoredValue<String>> ties, List<ScoredValue<String>> rest, int count) {
		List<ScoredValue<String>> all = new ArrayList<>(ties);
		all.addAll(rest);
		return places(all.subList(0, Math.min(count, all.size())));
	}

	private static List<Cursor> places(List<ScoredValue<String>> values) {
		return values.stream().map((value) -> new Cursor((long) value.getScore(), value.getValue())).toList();
	}

}
