package live.retwis.restriction;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import live.retwis.account.AccountStateRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Whom a user has muted and blocked: {@code muted:{id}} and {@code blocked:{id}}, user
 * ids by time. {@link RestrictionWriter} changes them.
 */
@Repository
@Order(RemovalStep.LAST)
public class RestrictionRepository implements RemovalStep {

	/** Most users in each list of a user. */
	public static final int MOST = 2000;

	/**
	 * How far, in ms, the log and a measured time of the data node's clock may differ.
	 */
	private static final long BETWEEN_CLOCKS = 1000;

	private static final LuaScript ADD = LuaScript.withDeadline("add-within-limit");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-member");

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	private final DeadlineScriptRunner deadlines;

	private final AccountStateRepository accounts;

	RestrictionRepository(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock,
			AccountStateRepository accounts, DeadlineScriptRunner deadlines) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
		this.deadlines = deadlines;
		this.accounts = accounts;
	}

	/** ZSCORE. */
	Mono<Boolean> isSet(Restriction restriction, String userId, String otherId) {
		return this.redis.opsForZSet().score(restriction.key(userId), otherId).hasElement();
	}

	/**
	 * {@code add-within-limit.lua}.
	 * @return whether that changed anything; {@link RestrictionLimitException} when the
	 * list is full
	 */
	Mono<Boolean> add(Restriction restriction, String userId, String otherId) {
		return this.clock.logMillis()
			.flatMap((now) -> this.deadlines.run(ADD, List.of(restriction.key(userId)), otherId, Long.toString(now),
					Integer.toString(MOST)))
			.flatMap((answer) -> answer.get(0).equals("full") ? Mono.error(new RestrictionLimitException())
					: Mono.just(answer.get(0).equals("1")));
	}

	/**
	 * {@code remove-member.lua}.
	 * @return whether that changed anything
	 */
	Mono<Boolean> remove(Restriction restriction, String userId, String otherId) {
		return this.deadlines.run(REMOVE, List.of(restriction.key(userId)), otherId)
			.map((answer) -> answer.get(0).equals("1"));
	}

	/** DEL of both lists. */
	Mono<Void> forget(String userId) {
		return this.redis.delete(Keys.muted(userId)).then(this.redis.delete(Keys.blocked(userId))).then();
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return forget(userId).thenReturn(true);
	}

	/**
	 * Deletes both lists of a user who has deleted the account. A form may still have
	 * been in progress then.
	 */
	Mono<Void> forgetIfGone(String userId) {
		return this.accounts.ifGone(userId, forget(userId));
	}

	/** ZRANGE of both lists, in one round trip. */
	public Mono<HiddenAuthors> hiddenFrom(String viewerId) {
		return Mono.zip(this.sortedSets.all(Keys.muted(viewerId)), this.sortedSets.all(Keys.blocked(viewerId)),
				(muted, blocked) -> (muted.isEmpty() && blocked.isEmpty()) ? HiddenAuthors.NOBODY
						: new HiddenAuthors(Set.copyOf(muted), Set.copyOf(blocked)));
	}

	/** A page of a list, latest first. */
	Mono<List<Cursor>> page(Restriction restriction, String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(restriction.key(userId), before, count);
	}

	/** ZSCORE of both lists: whether a user does not see what another does. */
	public Mono<Boolean> hides(String viewerId, String otherId) {
		return Mono.zip(isSet(Restriction.MUTE, viewerId, otherId), isSet(Restriction.BLOCK, viewerId, otherId),
				(muted, blocked) -> muted || blocked);
	}

	/** ZSCORE: whether a user has blocked another. */
	public Mono<Boolean> hasBlocked(String userId, String otherId) {
		return hasBlocked(userId, otherId, (since) -> true);
	}

	/**
	 * The same, for what another did at a time of the data node's clock. A block has a
	 * time of the log. If the log is ahead of the clock, as it may be after a fail-over,
	 * the block counts.
	 */
	public Mono<Boolean> hadBlocked(String userId, String otherId, long millis) {
		return this.clock.millis()
			.flatMap((now) -> hasBlocked(userId, otherId,
					(since) -> since <= millis + BETWEEN_CLOCKS || since > now + BETWEEN_CLOCKS));
	}

	private Mono<Boolean> hasBlocked(String userId, String otherId, Predicate<Double> counts) {
		return this.redis.opsForZSet()
			.score(Restriction.BLOCK.key(userId), otherId)
			.map(counts::test)
			.defaultIfEmpty(false);
	}

	/**
	 * ZSCORE of both, in one round trip: that a user may follow another, or reply to the
	 * other, or repost a post of the other.
	 * @return done; {@link BlockedException} when one of the two has blocked the other
	 */
	public Mono<Void> requireNoBlock(String userId, String otherId) {
		return requireNoBlock(userId, otherId, Long.MAX_VALUE);
	}

	/**
	 * The same, but later blocks do not count.
	 * @param until ms of a log entry. Each block that was answered before that entry was
	 * appended counts, and none that was asked for in a later millisecond
	 */
	public Mono<Void> requireNoBlock(String userId, String otherId, long until) {
		return Mono
			.zip(hasBlocked(otherId, userId, (since) -> since <= until),
					hasBlocked(userId, otherId, (since) -> since <= until),
					(byOther, byUser) -> (byOther || byUser) ? Mono.<Void>error(new BlockedException(byUser))
							: Mono.<Void>empty())
			.flatMap((result) -> result);
	}

	/** The user has restricted as many others as allowed. */
	static class RestrictionLimitException extends RuntimeException {

		RestrictionLimitException() {
			super("the list has " + MOST + " users already, which is the limit");
		}

	}

}
