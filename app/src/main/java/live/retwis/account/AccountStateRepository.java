package live.retwis.account;

import java.util.List;

import live.retwis.locks.Lease;
import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Whether an account is active, suspended or deleted: the field {@code state} of
 * {@code user:{id}}. It is never cached. It changes only under the user's lease.
 */
@Repository
public class AccountStateRepository {

	/** The state of a user who has deleted the account. */
	public static final String DELETED = "deleted";

	/** The state of a user whom an operator has suspended. */
	public static final String SUSPENDED = "suspended";

	static final String ACTIVE = "active";

	private static final LuaScript CLOSE = LuaScript.named("close-account");

	private static final LuaScript SET_SUSPENDED = LuaScript.named("set-suspended");

	private final ReactiveStringRedisTemplate redis;

	private final UserRepository users;

	AccountStateRepository(ReactiveStringRedisTemplate redis, UserRepository users) {
		this.redis = redis;
		this.users = users;
	}

	/** HMGET: the state of a user; empty when there is no such user. */
	Mono<String> find(String userId) {
		return this.redis.<String, String>opsForHash().get(Keys.user(userId), "state");
	}

	/** HMGET: whether the user does not exist or is deleted. */
	public Mono<Boolean> isGone(String userId) {
		return HashFields.read(this.redis, Keys.user(userId), "auth", "state")
			.map((fields) -> !fields.containsKey("auth") || DELETED.equals(fields.get("state")));
	}

	/**
	 * HMGET, then the step if the user does not exist or is deleted. Whoever stores data
	 * of a user removes it with this, because the account may have been deleted
	 * meanwhile.
	 */
	public Mono<Void> ifGone(String userId, Mono<Void> step) {
		return isGone(userId).flatMap((gone) -> gone ? step : Mono.empty());
	}

	/** HMGET: whether the user has deleted the account less than a day ago. */
	Mono<Boolean> isDeleted(String userId) {
		return find(userId).map(DELETED::equals).defaultIfEmpty(false);
	}

	/**
	 * {@code close-account.lua}: whether the account is deleted; false when the session
	 * is over. Empty when the lease no longer guards the user.
	 */
	Mono<Boolean> close(Session session, Lease lease, long millis) {
		return close(session.viewer().id(), session.generation(), lease, millis);
	}

	/** The same for every session of a user. Empty also when there is no such user. */
	Mono<Boolean> close(String userId, Lease lease, long millis) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.user(userId), "auth")
			.flatMap((generation) -> close(userId, generation, lease, millis));
	}

	private Mono<Boolean> close(String userId, String generation, Lease lease, long millis) {
		return guarded(CLOSE, userId, generation, lease.owner(), Long.toString(millis))
			.doFinally((end) -> this.users.readAgain(userId));
	}

	/**
	 * {@code set-suspended.lua}: whether the user exists, and now has that state. Empty
	 * when the lease no longer guards the user.
	 */
	Mono<Boolean> setSuspended(String userId, boolean suspended, Lease lease, long millis) {
		return guarded(SET_SUSPENDED, userId, lease.owner(), suspended ? SUSPENDED : ACTIVE, Long.toString(millis));
	}

	private Mono<Boolean> guarded(LuaScript script, String userId, String... args) {
		String key = Keys.user(userId);
		return script.run(this.redis, List.of(key, Keys.fence(key)), args)
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> answer.get(0).equals("1"));
	}

}
