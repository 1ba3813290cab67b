package live.retwis.reaction;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Who reacts to a post, such as {@code likes:{post}}, and the posts that a user reacts
 * to, such as {@code liked:{user}}. The users of a post are authoritative. A reaction
 * counts when the log has it: until then it is stored as pending, and so is one that is
 * being taken back. If the log never hears of it, it stays as it was before.
 */
@Repository
public class ReactionRepository {

	/** Most users kept for one post, and most posts for one user; the oldest go. */
	public static final int MOST = 100_000;

	private static final LuaScript BEGIN = LuaScript.named("begin-reaction");

	private static final LuaScript SETTLE = LuaScript.named("settle-reaction");

	private static final LuaScript ADD = LuaScript.named("add-to-list");

	/** Scores of users whose reaction counts. That of a pending one is negative. */
	private static final Range<Double> COUNTED = Range.rightUnbounded(Range.Bound.exclusive(0.0));

	private final ReactiveStringRedisTemplate redis;

	private final SortedSets sortedSets;

	private final DataClock clock;

	ReactionRepository(ReactiveStringRedisTemplate redis, SortedSets sortedSets, DataClock clock) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
	}

	/**
	 * {@code begin-reaction.lua}: stores a reaction, or that it is taken back, as
	 * pending.
	 * @return whether the log has to be told; false when it changes nothing
	 */
	Mono<Boolean> begin(Reaction reaction, String postId, String userId, boolean reacts) {
		return this.clock.millis()
			.flatMap((now) -> BEGIN.run(this.redis, List.of(reaction.users(postId)), userId, Long.toString(now),
					reacts ? "1" : "0"))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/**
	 * {@code settle-reaction.lua}, and {@code add-to-list.lua} or ZREM on the user's
	 * posts: what is pending takes effect. Running it again changes nothing.
	 */
	Mono<Void> settle(Reaction reaction, String postId, String userId, boolean reacts, long millis) {
		Mono<?> mine = reacts ? ADD.run(this.redis, List.of(reaction.posts(userId)), Integer.toString(MOST),
				Long.toString(millis), postId) : this.redis.opsForZSet().remove(reaction.posts(userId), postId);
		return SETTLE
			.run(this.redis, List.of(reaction.users(postId)), userId, Long.toString(millis), reacts ? "1" : "0",
					Integer.toString(MOST))
			.filter((answer) -> answer.get(0).equals(reacts ? "1" : "0"))
			.then(mine)
			.then();
	}

	/** ZCOUNT: how many users react to a post. */
	Mono<Long> count(Reaction reaction, String postId) {
		return this.redis.opsForZSet().count(reaction.users(postId), COUNTED);
	}

	/** A page of the users who react to a post, the latest first. */
	Mono<List<Cursor>> users(Reaction reaction, String postId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(reaction.users(postId), before, count)
			.map((users) -> users.stream().filter((user) -> user.score() > 0).toList());
	}

	/**
	 * ZSCORE of each: those of the posts that the user reacts to, as the user sees it.
	 */
	Mono<List<String>> of(Reaction reaction, String userId, Collection<String> postIds) {
		return Flux.fromIterable(postIds)
			.flatMapSequential((postId) -> this.redis.opsForZSet()
				.score(reaction.users(postId), userId)
				.filter((score) -> score == Math.rint(score))
				.map((score) -> postId))
			.collectList();
	}

	/** The posts that a user reacts to, a page of the earliest. */
	Mono<List<String>> posts(Reaction reaction, String userId, int count) {
		return this.redis.opsForZSet().range(reaction.posts(userId), Range.closed(0L, count - 1L)).collectList();
	}

	/** A page of the posts that a user reacts to, the latest first. */
	Mono<List<Cursor>> posts(Reaction reaction, String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(reaction.posts(userId), before, count);
	}

	/** ZREM from the users of a post. */
	Mono<Void> withdraw(Reaction reaction, String postId, String userId) {
		return this.redis.opsForZSet().remove(reaction.users(postId), userId).then();
	}

	/** ZREM from the users of a post and from the posts of a user. */
	Mono<Void> remove(Reaction reaction, String postId, String userId) {
		return this.redis.opsForZSet()
			.remove(reaction.users(postId), userId)
			.then(this.redis.opsForZSet().remove(reaction.posts(userId), postId))
			.then();
	}

	/** EXPIRE: the post is deleted. */
	Mono<Void> forget(Reaction reaction, String postId, Duration after) {
		return this.redis.expire(reaction.users(postId), after).then();
	}

}
