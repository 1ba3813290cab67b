package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads sorted sets page by page, from an exclusive cursor. The order is by score, then
 * by member.
 */
@Component
public class SortedSetReader {

	/** Most members of the same score read at once. The score is a millisecond. */
	private static final int TIES = 1000;

	/** A cursor's score rarely has more members than this. */
	private static final int FEW = 2;

	private final DataNodeCommands data;

	SortedSetReader(DataNodeCommands data) {
		this.data = data;
	}

	/** ZRANGE: all members, lowest first. */
	public Mono<List<String>> all(String key) {
		return this.data.zrange(key);
	}

	/** ZMSCORE: which of the members are in the set, in their order. */
	public Mono<List<String>> present(String key, List<String> members) {
		return members.isEmpty() ? Mono.just(members)
				: this.data.zmscore(key, members)
					.map((scores) -> IntStream.range(0, members.size())
						.filter((i) -> scores.get(i) != null)
						.mapToObj(members::get)
						.toList());
	}

	/** ZMSCORE: the scores in the order of the members; null for a missing member. */
	public Mono<List<@Nullable Double>> scores(String key, List<String> members) {
		return this.data.zmscore(key, members);
	}

	/** ZCARD. */
	public Mono<Long> size(String key) {
		return this.data.zcard(key);
	}

	/** ZREVRANGE: the highest members. */
	public Mono<List<String>> highest(String key, int count) {
		return this.data.zrevrange(key, count);
	}

	/**
	 * The members before the cursor, highest first: ZREVRANGE, or with a cursor
	 * ZREVRANGEBYSCORE. If many members have the cursor's score, two more commands
	 * follow.
	 */
	public Mono<List<Cursor>> highest(String key, Optional<Cursor> before, int count) {
		if (before.isEmpty()) {
			return this.data.zrevrangeWithScores(key, count);
		}
		Cursor from = before.get();
		int limit = count + FEW;
		return this.data.zrevrangebyscore(key, from.score(), Long.MIN_VALUE, 0, limit).flatMap((read) -> {
			List<Cursor> found = read.stream()
				.filter((place) -> place.score() < from.score() || place.member().compareTo(from.member()) < 0)
				.limit(count)
				.toList();
			return (found.size() == count || read.size() < limit) ? Mono.just(found)
					: highestAmongTies(key, from, count);
		});
	}

	private Mono<List<Cursor>> highestAmongTies(String key, Cursor from, int count) {
		return Mono.zip(
				ties((offset) -> this.data.zrevrangebyscore(key, from.score(), from.score(), offset, TIES),
						(member) -> member.compareTo(from.member()) < 0, count, 0),
				this.data.zrevrangebyscore(key, from.score() - 1, Long.MIN_VALUE, 0, count),
				(ties, rest) -> concat(ties, rest).stream().limit(count).toList());
	}

	/**
	 * The members after the cursor, lowest first: ZRANGE, or with a cursor two
	 * ZRANGEBYSCORE in one round trip.
	 */
	public Mono<List<Cursor>> lowest(String key, Optional<Cursor> after, int count) {
		if (after.isEmpty()) {
			return this.data.zrangeWithScores(key, count);
		}
		Cursor from = after.get();
		return Mono.zip(
				ties((offset) -> this.data.zrangebyscore(key, from.score(), from.score(), offset, TIES),
						(member) -> member.compareTo(from.member()) > 0, count, 0),
				this.data.zrangebyscore(key, from.score() + 1, Long.MAX_VALUE, 0, count),
				(ties, rest) -> concat(ties, rest).stream().limit(count).toList());
	}

	/**
	 * The members that have the cursor's score and lie beyond the cursor. Reads more
	 * batches when there are many.
	 */
	private static Mono<List<Cursor>> ties(IntFunction<Mono<List<Cursor>>> read, Predicate<String> beyond, int count,
			int offset) {
		return read.apply(offset).flatMap((ties) -> {
			List<Cursor> found = ties.stream().filter((tie) -> beyond.test(tie.member())).toList();
			return (ties.size() < TIES || found.size() >= count) ? Mono.just(found)
					: ties(read, beyond, count - found.size(), offset + TIES).map((more) -> concat(found, more));
		});
	}

	/** Both lists, one after the other. */
	public static List<Cursor> concat(List<Cursor> some, List<Cursor> more) {
		List<Cursor> all = new ArrayList<>(some);
		all.addAll(more);
		return all;
	}

}
