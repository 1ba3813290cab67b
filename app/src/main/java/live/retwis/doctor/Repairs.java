package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.PostArchive;
import live.retwis.locking.GuardedWrites;
import live.retwis.log.CommitLog;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The repairs of {@code --fix}. Each one touches one slot and can be repeated. One that
 * deletes something checks again that the problem is still there, in the same atomic step
 * or just before it ({@link #ifStill}). If not, it fails with
 * {@link NotRepairedException}.
 */
@Component
class Repairs {

	private static final LuaScript DISCARD_HASH = LuaScript.named("discard-hash");

	private static final LuaScript DISCARD_VALUE = LuaScript.named("discard-value");

	private static final LuaScript DISCARD_PICTURE = LuaScript.named("discard-picture");

	private static final LuaScript REMOVE_EXACTLY = LuaScript.named("remove-exactly");

	private static final LuaScript FORGET_BODY = LuaScript.named("forget-body");

	private static final LuaScript SET_EXPIRY = LuaScript.named("set-expiry");

	private static final LuaScript ADD_TO_LIST = LuaScript.named("add-to-list");

	private static final LuaScript SET_BOUNDARY = LuaScript.named("set-boundary");

	private static final LuaScript MARK_ARCHIVED = LuaScript.named("mark-archived");

	private static final String NO_BOUND = Integer.toString(Integer.MAX_VALUE);

	private final ReactiveStringRedisTemplate redis;

	private final CommitLog log;

	private final GuardedWrites guard;

	private final PostArchive archive;

	Repairs(ReactiveStringRedisTemplate redis, CommitLog log, GuardedWrites guard, PostArchive archive) {
		this.redis = redis;
		this.log = log;
		this.guard = guard;
		this.archive = archive;
	}

	/** Makes a repair that cannot look itself, if the problem is still there. */
	static Mono<Void> ifStill(Mono<Boolean> problem, Mono<Void> repair) {
		return problem.flatMap((still) -> still ? repair : Mono.error(NotRepairedException.hasChanged()));
	}

	/**
	 * Runs a repair under the lock of the key.
	 * @param body receives the owner that the key's fence names; its writes must check it
	 */
	<T> Mono<T> guarded(String key, Function<String, Mono<T>> body) {
		return this.guard.repair(key, (lease) -> body.apply(lease.owner()));
	}

	/**
	 * {@code discard-hash.lua} with a fence: deletes a hash that still has these fields.
	 */
	Mono<Void> discardHash(String key, Map<String, String> fields, String owner) {
		return run(DISCARD_HASH, List.of(key, Keys.fence(key)), arguments(owner, fields));
	}

	/** {@code discard-hash.lua}: deletes a hash that still has these fields. */
	Mono<Void> discardHash(String key, Map<String, String> fields) {
		return run(DISCARD_HASH, List.of(key), arguments("", fields));
	}

	private static String[] arguments(String owner, Map<String, String> fields) {
		List<String> all = new ArrayList<>(List.of(owner));
		fields.forEach((name, value) -> all.addAll(List.of(name, value)));
		return all.toArray(String[]::new);
	}

	/**
	 * {@code discard-value.lua} with a fence: deletes a string that still has this value.
	 */
	Mono<Void> discardValue(String key, String value, String owner) {
		return run(DISCARD_VALUE, List.of(key, Keys.fence(key)), owner, value);
	}

	/** {@code discard-value.lua}: deletes a string that still has this value. */
	Mono<Void> discardValue(String key, String value) {
		return run(DISCARD_VALUE, List.of(key), "", value);
	}

	/**
	 * {@code discard-picture.lua}: removes a user's picture and its hash, if they still
	 * are these.
	 */
	Mono<Void> discardPicture(String userId, String hash, String picture) {
		return run(DISCARD_PICTURE, List.of(Keys.user(userId), Keys.picture(userId)), hash, picture);
	}

	/** {@code remove-exactly.lua}: removes a member that still has this score. */
	Mono<Void> remove(String key, String member, double score) {
		return run(REMOVE_EXACTLY, List.of(key), member, text(score));
	}

	/** {@code add-to-list.lua}: adds a member, unless it is there. */
	Mono<Void> add(String key, String member, double score) {
		return ADD_TO_LIST.run(this.redis, List.of(key), NO_BOUND, text(score), member).then();
	}

	/**
	 * ZREMRANGEBYRANK: removes the members with the lowest scores until {@code size} are
	 * left.
	 */
	Mono<Void> trim(String key, int size) {
		return this.redis.opsForZSet().removeRange(key, Range.closed(0L, -size - 1L)).then();
	}

	/** DEL: deletes a home timeline and the keys that belong to it. */
	Mono<Void> removeTimeline(String userId) {
		return this.redis.delete(Keys.homeTimeline(userId), Keys.homeCompleteFrom(userId), Keys.homeChanges(userId))
			.then();
	}

	/**
	 * ZRANGE, DEL for each run, ZREMRANGEBYRANK: deletes the oldest lab runs until
	 * {@code most} are left.
	 */
	Mono<Void> trimRuns(int most) {
		return this.redis.opsForZSet()
			.range(Keys.LAB_RUNS, Range.closed(0L, -most - 1L))
			.collectList()
			.flatMapIterable((ids) -> ids)
			.concatMap((id) -> this.redis.delete(Keys.LAB_RUN + id))
			.then(trim(Keys.LAB_RUNS, most));
	}

	/** {@code forget-body.lua}: deletes the text of a deleted post. */
	Mono<Void> forgetBody(String key) {
		return run(FORGET_BODY, List.of(key));
	}

	/** {@code set-expiry.lua}: sets an expiry where there is none. */
	Mono<Void> setExpiry(String key, long millis) {
		return run(SET_EXPIRY, List.of(key), Long.toString(millis));
	}

	/**
	 * Logs once more that a post is deleted, so that the workers remove it from the
	 * lists.
	 */
	Mono<Void> logDeletion(String postId, String authorId) {
		return this.log.postDeleted(postId, authorId).then();
	}

	/**
	 * Logs once more that an account is deleted, so that the workers remove its data.
	 */
	Mono<Void> logClosing(String userId) {
		return this.log.accountClosed(userId).then();
	}

	/**
	 * {@code set-boundary.lua}: says in a list of an author's posts what the archive has
	 * of them.
	 * @param mark score of {@link ArchiveMarkers#MARK} that was seen
	 * @param count score of {@link ArchiveMarkers#COUNT} that was seen
	 * @param newest ms of the newest archived post
	 * @param posts number of archived posts; 0 when the archive has none
	 */
	Mono<Void> setBoundary(String list, Optional<Double> mark, Optional<Double> count, long newest, long posts) {
		return run(SET_BOUNDARY, List.of(list), mark.map(Repairs::text).orElse(""), count.map(Repairs::text).orElse(""),
				Long.toString(newest), Long.toString(posts));
	}

	/** {@code mark-archived.lua}: notes at a post that the archive has it. */
	Mono<Void> markArchived(String postId) {
		return MARK_ARCHIVED.run(this.redis, List.of(Keys.post(postId))).then();
	}

	/** ZADD: the archive has to delete the post. */
	Mono<Void> noteDeleted(String postId) {
		return this.archive.deleted(postId);
	}

	/** ZADD: the archive has to delete all posts of the user. */
	Mono<Void> noteClosed(String userId) {
		return this.archive.closed(userId);
	}

	private Mono<Void> run(LuaScript script, List<String> keys, String... args) {
		return script.run(this.redis, keys, args).flatMap((answer) -> switch (answer.get(0)) {
			case "1" -> Mono.empty();
			case "fence" -> Mono.error(new NotRepairedException("the lock was lost"));
			default -> Mono.error(NotRepairedException.hasChanged());
		});
	}

	/**
	 * A score as Redis reads it. Scores in milliseconds are written as whole numbers.
	 */
	private static String text(double score) {
		return (score == Math.rint(score)) ? Long.toString((long) score) : Double.toString(score);
	}

	/** A repair was not made, and why. */
	static class NotRepairedException extends RuntimeException {

		NotRepairedException(String reason) {
			super(reason, null, false, false);
		}

		static NotRepairedException hasChanged() {
			return new NotRepairedException("it has changed meanwhile");
		}

	}

}
