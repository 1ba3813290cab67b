package live.retwis.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Who follows a user, however many: {@code followers:{id}} and, from 10,000 on, further
 * shards by the time of the follow, whose directory is kept beside them. Nothing ever
 * moves from one to another, and the score in {@code following} tells the shard.
 */
@Repository
public class Followers {

	private static final LuaScript ADD = LuaScript.named("add-follower");

	private static final LuaScript REMOVE = LuaScript.named("remove-follower");

	private static final LuaScript COUNT = LuaScript.named("count-followers");

	private static final LuaScript FORGET = LuaScript.named("forget-followers");

	/** For so long a deleted user's followers may still have to be taken out. */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	/** From here on it is less work to ask for one user by one than for all in each. */
	private static final int MANY_SHARDS = 4;

	/** Viewers and users of whom it is kept how many are between them. */
	private static final int COUNTED = 10_000;

	private static final Duration COUNT_KEPT = Duration.ofMinutes(1);

	/** Asked for one by one at the same time. */
	private static final int CONCURRENCY = 64;

	/** By viewer and user. */
	private final AsyncCache<List<String>, Integer> counted = Caffeine.newBuilder()
		.maximumSize(COUNTED)
		.expireAfterWrite(COUNT_KEPT)
		.buildAsync();

	private final DataNode data;

	private final SortedSets sortedSets;

	private final FollowProperties properties;

	Followers(DataNode data, SortedSets sortedSets, FollowProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.properties = properties;
	}

	/**
	 * {@code add-follower.lua}.
	 * @param millis the score in the follower's {@code following}
	 */
	public Mono<Void> add(String userId, String followerId, long millis) {
		return add(userId, 0, followerId, Long.toString(millis));
	}

	private Mono<Void> add(String userId, int shard, String followerId, String millis) {
		return this.data
			.run(ADD,
					List.of(Keys.followerShards(userId), Keys.followers(userId, shard),
							Keys.followers(userId, shard + 1)),
					Integer.toString(shard), followerId, millis, Integer.toString(this.properties.shard()))
			.flatMap((answer) -> isDone(answer) ? Mono.empty()
					: add(userId, Integer.parseInt(answer.get(1)), followerId, millis));
	}

	/**
	 * {@code remove-follower.lua}.
	 * @param millis the score that the follower's {@code following} had; empty when it
	 * was taken out before, by a call that may have ended there
	 * @return whether there was such a follower
	 */
	public Mono<Boolean> remove(String userId, String followerId, Optional<Long> millis) {
		return millis.isPresent() ? remove(userId, 0, followerId, millis.get().toString()) : find(userId, followerId)
			.flatMap((since) -> remove(userId, 0, followerId, Long.toString(since.longValue())));
	}

	private Mono<Boolean> remove(String userId, int shard, String followerId, String millis) {
		return this.data
			.run(REMOVE, List.of(Keys.followerShards(userId), Keys.followers(userId, shard)), Integer.toString(shard),
					followerId, millis)
			.flatMap((answer) -> isDone(answer) ? Mono.just(answer.get(1).equals("1"))
					: remove(userId, Integer.parseInt(answer.get(1)), followerId, millis));
	}

	/** {@code forget-followers.lua}: of a user who has none and never will. */
	public Mono<Void> forget(String userId) {
		return this.data.run(FORGET, List.of(Keys.followerShards(userId)), Long.toString(REMEMBERED.toSeconds()))
			.then();
	}

	private static boolean isDone(List<String> answer) {
		return answer.get(0).equals("done");
	}

	/** ZSCORE in each shard: since when, in ms; empty when the user is not followed. */
	private Mono<Double> find(String userId, String followerId) {
		return shards(userId)
			.flatMapMany((shards) -> Flux.range(0, shards.last() + 1)
				.flatMap((number) -> this.data.call((c) -> c.zscore(shards.key(number), followerId)), CONCURRENCY))
			.next();
	}

	/** ZCARD of the first shard and HGET of the count of all, in one round trip. */
	public Mono<Long> count(String userId) {
		return this.data.both((c) -> c.zcard(Keys.followers(userId)),
				(c) -> c.hget(Keys.followerShards(userId), "count"),
				(first, all) -> (all != null) ? Long.valueOf(all) : first);
	}

	/**
	 * {@code count-followers.lua}.
	 * @param fix whether to put the count right
	 * @return whether the directory's count was wrong; empty when a shard was just begun
	 */
	public Mono<Boolean> recount(String userId, boolean fix) {
		return shards(userId).flatMap((shards) -> {
			List<String> keys = new ArrayList<>(List.of(Keys.followerShards(userId)));
			for (int number = 0; number <= shards.last(); number++) {
				keys.add(shards.key(number));
			}
			return this.data.run(COUNT, keys, fix ? "fix" : "");
		}).filter((answer) -> !answer.isEmpty()).map((answer) -> !answer.get(0).equals(answer.get(1)));
	}

	/** A page of them, latest first. */
	Mono<List<Cursor>> latest(String userId, Optional<Cursor> before, int count) {
		return shards(userId).flatMap((shards) -> latest(shards,
				before.map((cursor) -> shards.at(cursor.score())).orElse(shards.last()), before, count));
	}

	private Mono<List<Cursor>> latest(FollowerShards shards, int number, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(shards.key(number), before, count)
			.flatMap((page) -> (page.size() >= count || number == 0) ? Mono.just(page)
					: latest(shards, number - 1, Optional.empty(), count - page.size())
						.map((earlier) -> join(page, earlier)));
	}

	/**
	 * A page of them, earliest first.
	 * @param after where the last page ended
	 */
	public Mono<Page> earliest(String userId, Cursor after, int count) {
		return shards(userId).flatMap((shards) -> earliest(shards, shards.at(after.score()), Optional.of(after), count)
			.map((places) -> new Page(places, shards.removed())));
	}

	/** HGET: how many were ever taken out. */
	public Mono<Long> removed(String userId) {
		return this.data.call((c) -> c.hget(Keys.followerShards(userId), "removed"))
			.map(Long::valueOf)
			.defaultIfEmpty(0L);
	}

	private Mono<List<Cursor>> earliest(FollowerShards shards, int number, Optional<Cursor> after, int count) {
		return this.sortedSets.lowest(shards.key(number), after, count)
			.flatMap((page) -> (page.size() >= count || number == shards.last()) ? Mono.just(page)
					: earliest(shards, number + 1, Optional.empty(), count - page.size())
						.map((later) -> join(page, later)));
	}

	private static List<Cursor> join(List<Cursor> some, List<Cursor> more) {
		List<Cursor> all = new ArrayList<>(some);
		all.addAll(more);
		return all;
	}

	/**
	 * How many of those whom a viewer follows follow that user: ZMSCORE in each shard. Of
	 * many shards each of them is asked instead, ZSCORE, which is less work than all of
	 * them times all shards. Where there are two shards and more the answer is kept for a
	 * minute.
	 */
	Mono<Integer> countAmong(String viewerId, List<String> followed, FollowerShards shards) {
		if (followed.isEmpty()) {
			return Mono.just(0);
		}
		Mono<Integer> count = (shards.last() < MANY_SHARDS) ? askShards(followed, shards) : askEach(followed, shards);
		return (shards.last() == 0) ? count : Mono.fromFuture(
				() -> this.counted.get(List.of(viewerId, shards.userId()), (pair, executor) -> count.toFuture()), true);
	}

	private Mono<Integer> askEach(List<String> userIds, FollowerShards shards) {
		return Flux.fromIterable(userIds)
			.flatMap((user) -> this.data.call((c) -> c.zscore(Keys.following(user), shards.userId())), CONCURRENCY)
			.count()
			.map(Long::intValue);
	}

	private Mono<Integer> askShards(List<String> userIds, FollowerShards shards) {
		return Flux.range(0, shards.last() + 1)
			.flatMap((number) -> this.data.call((c) -> c.zmscore(shards.key(number), userIds.toArray(String[]::new))))
			.collect(BitSet::new, Followers::setThere)
			.map(BitSet::cardinality);
	}

	private static void setThere(BitSet there, List<Double> scores) {
		IntStream.range(0, scores.size()).filter((i) -> scores.get(i) != null).forEach(there::set);
	}

	/** HGETALL of the directory. */
	public Mono<FollowerShards> shards(String userId) {
		return this.data.call((c) -> c.hgetall(Keys.followerShards(userId)))
			.defaultIfEmpty(Map.of())
			.map((directory) -> FollowerShards.of(userId, directory));
	}

	/**
	 * Some followers.
	 *
	 * @param places of them
	 * @param removed how many were ever taken out before these were read
	 */
	public record Page(List<Cursor> places, long removed) {
	}

}
