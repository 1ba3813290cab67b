package live.retwis.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * The followers of a user, in any number: {@code followers:{id}} and, above 10,000
 * followers, further shards by the time of the follow. A directory of the shards is
 * stored with them. A follower is in one shard at most, and the score in
 * {@code following} tells which one. It moves only with a new time of the follow.
 */
@Repository
public class FollowerListRepository {

	private static final LuaScript ADD = LuaScript.withDeadline("add-follower");

	private static final LuaScript REMOVE = LuaScript.named("remove-follower");

	private static final LuaScript COUNT = LuaScript.named("count-followers");

	private static final LuaScript FORGET = LuaScript.named("forget-followers");

	/** How long followers of a deleted user may still have to be removed. */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	/**
	 * From this many shards on, asking about each user is less work than asking each
	 * shard about all users.
	 */
	private static final int MANY_SHARDS = 4;

	/** Most answers in the cache. */
	private static final int COUNTED = 10_000;

	private static final Duration COUNT_KEPT = Duration.ofMinutes(1);

	/** Most concurrent commands. */
	private static final int CONCURRENCY = 64;

	/** Answers of {@link #some}. */
	private final AsyncCache<Asked, Some> counted = Caffeine.newBuilder()
		.maximumSize(COUNTED)
		.expireAfterWrite(COUNT_KEPT)
		.buildAsync();

	private final ReactiveStringRedisTemplate redis;

	private final DataNodeCommands data;

	private final SortedSetReader sortedSets;

	private final DeadlineScriptRunner deadlines;

	private final FollowProperties properties;

	FollowerListRepository(ReactiveStringRedisTemplate redis, DataNodeCommands data, SortedSetReader sortedSets,
			DeadlineScriptRunner deadlines, FollowProperties properties) {
		this.redis = redis;
		this.data = data;
		this.sortedSets = sortedSets;
		this.deadlines = deadlines;
		this.properties = properties;
	}

	/**
	 * {@code add-follower.lua}: one round trip, or two when there is more than one shard.
	 * An entry with another time, which an unfollow that broke off has left, is removed.
	 * @param millis the score in the follower's {@code following}
	 */
	public Mono<Void> add(String userId, String followerId, long millis) {
		return add(userId, 0, followerId, Long.toString(millis));
	}

	private Mono<Void> add(String userId, int last, String followerId, String millis) {
		List<String> keys = new ArrayList<>(List.of(Keys.followerShards(userId)));
		IntStream.rangeClosed(0, last + 1).mapToObj((number) -> Keys.followers(userId, number)).forEach(keys::add);
		return this.deadlines.run(ADD, keys, followerId, millis, Integer.toString(this.properties.shard()))
			.flatMap((answer) -> isDone(answer) ? Mono.empty()
					: add(userId, Integer.parseInt(answer.get(1)), followerId, millis));
	}

	/**
	 * {@code remove-follower.lua}: one round trip, or two when the follow belongs to a
	 * later shard than the first.
	 * @param millis the score that {@code following} had; empty when it was removed
	 * earlier, by a call that may have ended half-way
	 * @return whether there was such a follower
	 */
	public Mono<Boolean> remove(String userId, String followerId, Optional<Long> millis) {
		return millis.isPresent() ? remove(userId, 0, followerId, millis.get().toString()) : find(userId, followerId)
			.flatMap((since) -> remove(userId, 0, followerId, Long.toString(since.longValue())));
	}

	private Mono<Boolean> remove(String userId, int shard, String followerId, String millis) {
		return REMOVE
			.run(this.redis, List.of(Keys.followerShards(userId), Keys.followers(userId, shard)),
					Integer.toString(shard), followerId, millis)
			.flatMap((answer) -> isDone(answer) ? Mono.just(answer.get(1).equals("1"))
					: remove(userId, Integer.parseInt(answer.get(1)), followerId, millis));
	}

	/** {@code forget-followers.lua}: for a user who has no followers and never will. */
	public Mono<Void> forget(String userId) {
		return FORGET.run(this.redis, List.of(Keys.followerShards(userId)), Long.toString(REMEMBERED.toSeconds()))
			.then();
	}

	private static boolean isDone(List<String> answer) {
		return answer.get(0).equals("done");
	}

	/**
	 * ZSCORE in each shard: since when the follower follows the user, in ms; empty when
	 * not.
	 */
	private Mono<Double> find(String userId, String followerId) {
		return shards(userId)
			.flatMapMany((shards) -> Flux.range(0, shards.last() + 1)
				.flatMap((number) -> this.redis.opsForZSet().score(shards.key(number), followerId), CONCURRENCY))
			.next();
	}

	/** ZCARD of the first shard and HMGET of the total count, in one round trip. */
	public Mono<Long> count(String userId) {
		return Mono.zip(this.data.zcard(Keys.followers(userId)), this.data.hmget(Keys.followerShards(userId), "count"),
				(first, directory) -> directory.containsKey("count") ? Long.valueOf(directory.get("count")) : first);
	}

	/**
	 * {@code count-followers.lua}: checks the count in the directory.
	 * @param fix whether to correct the count
	 * @return whether the count was wrong; empty when a shard was just begun
	 */
	public Mono<Boolean> recount(String userId, boolean fix) {
		return shards(userId).flatMap((shards) -> {
			List<String> keys = new ArrayList<>(List.of(Keys.followerShards(userId)));
			for (int number = 0; number <= shards.last(); number++) {
				keys.add(shards.key(number));
			}
			return COUNT.run(this.redis, keys, fix ? "fix" : "");
		}).filter((answer) -> !answer.isEmpty()).map((answer) -> !answer.get(0).equals(answer.get(1)));
	}

	/** A page of followers, latest first. */
	Mono<List<Cursor>> latest(String userId, Optional<Cursor> before, int count) {
		return shards(userId).flatMap((shards) -> latest(shards,
				before.map((cursor) -> shards.numberAt(cursor.score())).orElse(shards.last()), before, count));
	}

	private Mono<List<Cursor>> latest(FollowerShards shards, int number, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(shards.key(number), before, count)
			.flatMap((page) -> (page.size() >= count || number == 0) ? Mono.just(page)
					: latest(shards, number - 1, Optional.empty(), count - page.size())
						.map((earlier) -> SortedSetReader.concat(page, earlier)));
	}

	/**
	 * A page of followers, earliest first.
	 * @param after where the previous page ended
	 */
	public Mono<Page> earliest(String userId, Cursor after, int count) {
		return shards(userId)
			.flatMap((shards) -> earliest(shards, shards.numberAt(after.score()), Optional.of(after), count)
				.map((places) -> new Page(places, shards.removed())));
	}

	/**
	 * The first and the last followers of a shard, earliest first, each once: the first
	 * and the last that fan-out reaches.
	 * @param number the shard
	 * @param count most followers of each end
	 */
	public Mono<List<String>> ends(FollowerShards shards, int number, int count) {
		String key = shards.key(number);
		return Mono.zip(this.sortedSets.lowest(key, Optional.empty(), count), this.sortedSets.highest(key, count),
				(first, last) -> Stream
					.concat(first.stream().map(Cursor::member),
							IntStream.range(0, last.size()).mapToObj((i) -> last.get(last.size() - 1 - i)))
					.distinct()
					.toList());
	}

	/** HMGET: how many followers were ever removed. */
	public Mono<Long> removed(String userId) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.followerShards(userId), "removed")
			.map(Long::valueOf)
			.defaultIfEmpty(0L);
	}

	private Mono<List<Cursor>> earliest(FollowerShards shards, int number, Optional<Cursor> after, int count) {
		return this.sortedSets.lowest(shards.key(number), after, count)
			.flatMap((page) -> (page.size() >= count || number == shards.last()) ? Mono.just(page)
					: earliest(shards, number + 1, Optional.empty(), count - page.size())
						.map((later) -> SortedSetReader.concat(page, later)));
	}

	/**
	 * Those of the users whom a viewer follows who follow the given user, see
	 * {@link #among}. With two or more shards the answer is cached for a minute, but not
	 * longer than the viewer hides the same users.
	 * @param followed whom the viewer follows, without those whom the viewer hides
	 */
	Mono<Some> some(String viewerId, List<String> followed, HiddenAuthors hidden, FollowerShards shards) {
		Mono<Some> some = among(followed, shards).map(Some::of);
		return (followed.isEmpty() || shards.last() == 0) ? some
				: CommandRecorderContext.fromFuture(() -> this.counted.get(new Asked(viewerId, shards.userId(), hidden),
						(asked, executor) -> CommandRecorderContext.toFuture(some)));
	}

	/**
	 * Those of the users who follow the given user, in their order: ZMSCORE in each
	 * shard. With many shards ZSCORE in each user's {@code following} is used instead,
	 * which is less work than asking every shard about all users.
	 */
	Mono<List<String>> among(List<String> userIds, FollowerShards shards) {
		if (userIds.isEmpty()) {
			return Mono.just(userIds);
		}
		return (shards.last() < MANY_SHARDS) ? amongShards(userIds, shards) : byUser(userIds, shards);
	}

	private Mono<List<String>> byUser(List<String> userIds, FollowerShards shards) {
		return Flux.fromIterable(userIds)
			.flatMapSequential(
					(user) -> this.redis.opsForZSet().score(Keys.following(user), shards.userId()).map((since) -> user),
					CONCURRENCY)
			.collectList();
	}

	private Mono<List<String>> amongShards(List<String> userIds, FollowerShards shards) {
		return Flux.range(0, shards.last() + 1)
			.flatMap((number) -> this.data.zmscore(shards.key(number), userIds))
			.collect(BitSet::new, FollowerListRepository::setThere)
			.map((there) -> there.stream().mapToObj(userIds::get).toList());
	}

	private static void setThere(BitSet there, List<Double> scores) {
		IntStream.range(0, scores.size()).filter((i) -> scores.get(i) != null).forEach(there::set);
	}

	/** HGETALL: reads the directory of the shards. */
	public Mono<FollowerShards> shards(String userId) {
		return this.data.hgetall(Keys.followerShards(userId)).map((directory) -> FollowerShards.of(userId, directory));
	}

	/**
	 * Some users.
	 *
	 * @param count how many they are
	 * @param first the ids of the first {@value #FIRST} of them
	 */
	public record Some(int count, List<String> first) {

		private static final int FIRST = 2;

		static Some of(List<String> userIds) {
			return new Some(userIds.size(), List.copyOf(userIds.subList(0, Math.min(FIRST, userIds.size()))));
		}

	}

	/** What an answer of {@link #some} depends on. */
	private record Asked(String viewerId, String userId, HiddenAuthors hidden) {
	}

	/**
	 * A page of followers.
	 *
	 * @param places their places in the list
	 * @param removed how many followers were ever removed before the page was read
	 */
	public record Page(List<Cursor> places, long removed) {
	}

}
