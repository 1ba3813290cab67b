package live.retwis.reaction;

import java.util.List;
import java.util.Optional;

import live.retwis.archive.LikesAndRepliesArchive;
import live.retwis.redis.ConvergingWrite;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataClock;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * The posts that a user reacts to, such as {@code liked:{user}}, and who reacts to a
 * post, such as {@code likes:{post}}. The posts of a user are authoritative. The users of
 * a post are derived from them, and they are counted. Those of an archived post may be in
 * the archive.
 */
@Repository
public class ReactionRepository {

	/**
	 * Most users kept for one post; the oldest go. Also most posts to which one user can
	 * react; then no more are accepted.
	 */
	public static final int MOST = 100_000;

	private static final LuaScript ADD = LuaScript.withDeadline("add-to-list");

	private static final LuaScript ADD_IF_ROOM = LuaScript.withDeadline("add-if-room");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-member");

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	private final DeadlineScriptRunner deadlines;

	private final LikesAndRepliesArchive archive;

	ReactionRepository(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock,
			DeadlineScriptRunner deadlines, LikesAndRepliesArchive archive) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
		this.deadlines = deadlines;
		this.archive = archive;
	}

	/**
	 * {@code add-if-room.lua} or {@code remove-member.lua} on the user's posts. Running
	 * it again changes nothing.
	 */
	Mono<Change> set(Reaction reaction, String postId, String userId, boolean reacts) {
		String key = reaction.posts(userId);
		return reacts ? this.clock.millis()
			.flatMap((now) -> run(ADD_IF_ROOM, key, now, postId))
			.map((answer) -> switch (answer.get(0)) {
				case "added" -> Change.DONE;
				case "there" -> Change.DONE_BEFORE;
				default -> Change.FULL;
			}) : this.deadlines.run(REMOVE, List.of(key), postId)
				.map((answer) -> answer.get(0).equals("1") ? Change.DONE : Change.DONE_BEFORE);
	}

	/** {@code add-if-room.lua}: a reaction that was taken back is there again. */
	Mono<Void> restore(Reaction reaction, String postId, String userId, long since) {
		return run(ADD_IF_ROOM, reaction.posts(userId), since, postId).then();
	}

	/** What became of a reaction that a user wanted to make or to take back. */
	enum Change {

		/** It is done. */
		DONE,
		/** Nothing was left to do. */
		DONE_BEFORE,
		/** The user reacts to {@link #MOST} other posts. */
		FULL

	}

	private Mono<List<String>> run(LuaScript script, String key, long millis, String member) {
		return this.deadlines.run(script, List.of(key), Integer.toString(MOST), Long.toString(millis), member);
	}

	/** ZSCORE: whether the user likes the post. */
	public Mono<Boolean> isLiked(String postId, String userId) {
		return since(Reaction.LIKE, postId, userId).map(Optional::isPresent);
	}

	/** ZSCORE of the post: since when the user reacts to it, in ms; empty when not. */
	Mono<Optional<Long>> since(Reaction reaction, String postId, String userId) {
		return since(reaction.posts(userId), postId);
	}

	/** ZSCORE of the user: since when the reaction counts, in ms; empty when not. */
	Mono<Optional<Long>> countedSince(Reaction reaction, String postId, String userId) {
		return this.archive.findToCount(reaction.users(postId)).then(since(reaction.users(postId), userId));
	}

	private Mono<Optional<Long>> since(String key, String member) {
		return this.redis.opsForZSet()
			.score(key, member)
			.map((score) -> Optional.of(score.longValue()))
			.defaultIfEmpty(Optional.empty());
	}

	/**
	 * Updates the users of the post to match the posts of the user:
	 * {@code add-to-list.lua} or {@code remove-member.lua}.
	 */
	Mono<Void> settle(Reaction reaction, String postId, String userId) {
		return ConvergingWrite.of(since(reaction, postId, userId), (since) -> since.isPresent()
				? add(reaction.users(postId), userId, since.get()) : withdraw(reaction, postId, userId));
	}

	private Mono<Void> add(String users, String userId, long since) {
		return this.archive.add(users, userId, since)
			.flatMap((done) -> done ? Mono.empty() : run(ADD, users, since, userId).then());
	}

	/** ZCARD: how many users react to a post. */
	Mono<Long> count(Reaction reaction, String postId) {
		return this.archive.findToCount(reaction.users(postId))
			.then(this.redis.opsForZSet().size(reaction.users(postId)));
	}

	/**
	 * A page of the users who react to a post, the latest first.
	 * @param reacting how many they are, as far as is known
	 */
	Mono<List<Cursor>> users(Reaction reaction, String postId, Optional<Cursor> before, int count, long reacting) {
		return this.archive.find(reaction.users(postId), Mono.just(reacting > 0))
			.map((all) -> CursorOrder.after(all, before).stream().limit(count).toList())
			.switchIfEmpty(Mono.defer(() -> this.sortedSets.highest(reaction.users(postId), before, count)));
	}

	/** ZMSCORE: those of the posts that the user reacts to. */
	Mono<List<String>> of(Reaction reaction, String userId, List<String> postIds) {
		return this.sortedSets.present(reaction.posts(userId), postIds);
	}

	/** The posts that a user reacts to, a page of the earliest. */
	Mono<List<String>> posts(Reaction reaction, String userId, int count) {
		return earliest(reaction.posts(userId), count);
	}

	/**
	 * The users who react to a deleted post, as far as Redis has them, a page of the
	 * earliest.
	 */
	Mono<List<String>> users(Reaction reaction, String postId, int count) {
		return earliest(reaction.users(postId), count);
	}

	private Mono<List<String>> earliest(String key, int count) {
		return this.redis.opsForZSet().range(key, Range.closed(0L, count - 1L)).collectList();
	}

	/** A page of the posts that a user reacts to, the latest first. */
	Mono<List<Cursor>> posts(Reaction reaction, String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(reaction.posts(userId), before, count);
	}

	/** {@code remove-member.lua} from the users of a post. */
	Mono<Void> withdraw(Reaction reaction, String postId, String userId) {
		String users = reaction.users(postId);
		return this.archive.remove(users, userId)
			.flatMap((done) -> done ? Mono.empty() : this.deadlines.run(REMOVE, List.of(users), userId).then());
	}

	/** ZREM from the posts of a user, and from the users of a deleted post. */
	Mono<Void> removeOfDeleted(Reaction reaction, String postId, String userId) {
		return forget(reaction, List.of(postId), userId)
			.then(this.redis.opsForZSet().remove(reaction.users(postId), userId))
			.then();
	}

	/**
	 * ZREM from the posts of a user.
	 * @return how many of them were there
	 */
	Mono<Long> forget(Reaction reaction, List<String> postIds, String userId) {
		return this.redis.opsForZSet().remove(reaction.posts(userId), postIds.toArray());
	}

	/**
	 * {@link #forget} and {@link #withdraw}. If only the first arrives, the second list
	 * still tells who is left.
	 */
	Mono<Void> remove(Reaction reaction, String postId, String userId) {
		return forget(reaction, List.of(postId), userId).then(withdraw(reaction, postId, userId));
	}

}
