package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.lettuce.core.ZAddArgs;
import live.retwis.guard.GuardedWrites;
import live.retwis.log.CommitLog;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What {@code --fix} does. Each step touches one slot, checks again what it repairs in
 * the moment in which it does, and can be repeated. It fails with {@link NotRepaired}
 * when what it was to repair is not there any more.
 */
@Component
class Repairs {

	private static final LuaScript DISCARD_HASH = LuaScript.named("discard-hash");

	private static final LuaScript DISCARD_VALUE = LuaScript.named("discard-value");

	private static final LuaScript REMOVE_EXACTLY = LuaScript.named("remove-exactly");

	private static final LuaScript FORGET_BODY = LuaScript.named("forget-body");

	private static final LuaScript SET_EXPIRY = LuaScript.named("set-expiry");

	private final DataNode data;

	private final CommitLog log;

	private final GuardedWrites guard;

	Repairs(DataNode data, CommitLog log, GuardedWrites guard) {
		this.data = data;
		this.log = log;
		this.guard = guard;
	}

	/**
	 * Runs a repair under the lock of that key.
	 * @param body given the owner that the key's fence names; its writes check that
	 */
	<T> Mono<T> guarded(String key, Function<String, Mono<T>> body) {
		return this.guard.repair(key, (lease) -> body.apply(lease.owner()));
	}

	/** {@code discard-hash.lua} with a fence: a hash that has these fields still. */
	Mono<Void> discardHash(String key, Map<String, String> fields, String owner) {
		return run(DISCARD_HASH, List.of(key, Keys.fence(key)), arguments(owner, fields));
	}

	/** {@code discard-hash.lua}. */
	Mono<Void> discardHash(String key, Map<String, String> fields) {
		return run(DISCARD_HASH, List.of(key), arguments("", fields));
	}

	private static String[] arguments(String owner, Map<String, String> fields) {
		List<String> all = new ArrayList<>(List.of(owner));
		fields.forEach((name, value) -> all.addAll(List.of(name, value)));
		return all.toArray(String[]::new);
	}

	/** {@code discard-value.lua} with a fence: a string that has this value still. */
	Mono<Void> discardValue(String key, String value, String owner) {
		return run(DISCARD_VALUE, List.of(key, Keys.fence(key)), owner, value);
	}

	/** {@code discard-value.lua}. */
	Mono<Void> discardValue(String key, String value) {
		return run(DISCARD_VALUE, List.of(key), "", value);
	}

	/** {@code remove-exactly.lua}: a member that has this score still. */
	Mono<Void> remove(String key, String member, double score) {
		return run(REMOVE_EXACTLY, List.of(key), member, text(score));
	}

	/** ZADD NX. */
	Mono<Void> add(String key, String member, double score) {
		return this.data.call((c) -> c.zadd(key, ZAddArgs.Builder.nx(), score, member)).then();
	}

	/** ZREMRANGEBYRANK: the lowest beyond that many. */
	Mono<Void> trim(String key, int size) {
		return this.data.call((c) -> c.zremrangebyrank(key, 0, -size - 1L)).then();
	}

	/** DEL: a home timeline, and what is noted beside it. */
	Mono<Void> removeTimeline(String userId) {
		return this.data
			.call((c) -> c.del(Keys.homeTimeline(userId), Keys.homeWholeFrom(userId), Keys.homeChanges(userId)))
			.then();
	}

	/** ZRANGE, DEL, ZREMRANGEBYRANK: the oldest runs of the lab beyond that many. */
	Mono<Void> trimRuns(int most) {
		return this.data.call((c) -> c.zrange(Keys.LAB_RUNS, 0, -most - 1L))
			.flatMapIterable((ids) -> ids)
			.concatMap((id) -> this.data.call((c) -> c.del(Keys.LAB_RUN + id)))
			.then(trim(Keys.LAB_RUNS, most));
	}

	/** {@code forget-body.lua}. */
	Mono<Void> forgetBody(String key) {
		return run(FORGET_BODY, List.of(key));
	}

	/** {@code set-expiry.lua}. */
	Mono<Void> setExpiry(String key, long millis) {
		return run(SET_EXPIRY, List.of(key), Long.toString(millis));
	}

	/** Tells the workers once more that a post is deleted; they take it out. */
	Mono<Void> tellDeleted(String postId, String authorId) {
		return this.log.postDeleted(postId, authorId).then();
	}

	/** Tells the workers once more that an account is deleted; they clear it away. */
	Mono<Void> tellClosed(String userId) {
		return this.log.accountClosed(userId).then();
	}

	private Mono<Void> run(LuaScript script, List<String> keys, String... args) {
		return this.data.run(script, keys, args).flatMap((answer) -> switch (answer.get(0)) {
			case "1" -> Mono.empty();
			case "fence" -> Mono.error(new NotRepaired("the lock was lost"));
			default -> Mono.error(NotRepaired.hasChanged());
		});
	}

	/** A score as Redis reads it: the milliseconds are whole numbers. */
	private static String text(double score) {
		return (score == Math.rint(score)) ? Long.toString((long) score) : Double.toString(score);
	}

	/** Why a repair was not made. */
	static class NotRepaired extends RuntimeException {

		NotRepaired(String reason) {
			super(reason, null, false, false);
		}

		static NotRepaired hasChanged() {
			return new NotRepaired("it has changed meanwhile");
		}

	}

}
