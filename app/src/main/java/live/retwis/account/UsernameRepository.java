package live.retwis.account;

import java.time.Duration;
import java.util.List;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.i18n.Message;
import live.retwis.locks.Lease;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * To whom a username belongs: {@code username:{name}}. A name belongs to its user until
 * the account is deleted. The log announces that, so names are kept in a bounded cache.
 * The case of a name does not matter.
 */
@Repository
public class UsernameRepository implements CommitLogListener {

	private static final LuaScript COMMIT = LuaScript.named("commit-username");

	private static final LuaScript DISCARD_VALUE = LuaScript.named("discard-value");

	/** Most names in the cache, about 200 bytes each. */
	private static final int CACHED = 50_000;

	private final ReactiveStringRedisTemplate redis;

	private final UserRepository users;

	private final SuspendedAccountsCache suspended;

	/**
	 * The log tells of names that are free again. It does not tell of a name that a
	 * fail-over has lost.
	 */
	private static final Duration KEPT = Duration.ofMinutes(5);

	private final AsyncLoadingCache<String, String> ids = Caffeine.newBuilder()
		.maximumSize(CACHED)
		.expireAfterWrite(KEPT)
		.buildAsync((name, executor) -> CommandRecorderContext.toFuture(readIdOfUser(name)));

	UsernameRepository(ReactiveStringRedisTemplate redis, UserRepository users, SuspendedAccountsCache suspended) {
		this.redis = redis;
		this.users = users;
		this.suspended = suspended;
	}

	/** GET {@code username:{name}}, unless it is in the cache. */
	public Mono<String> findId(String username) {
		return UsernameRules.isValid(username)
				? CommandRecorderContext.fromFuture(() -> this.ids.get(UsernameRules.fold(username))) : Mono.empty();
	}

	/**
	 * {@link #findId}, then {@link UserRepository#findById}. Empty when the user is
	 * suspended.
	 */
	public Mono<User> findUser(String username) {
		return findId(username).filter((userId) -> !this.suspended.contains(userId)).flatMap(this.users::findById);
	}

	/** {@link #findUser}; an error with status 404 when there is no such user. */
	public Mono<User> requireUser(String username) {
		return findUser(username).switchIfEmpty(ProblemException.notFound(Message.of("user.missing")));
	}

	/**
	 * {@link #readId}, if there is such a user. A name that a write that broke off has
	 * left may be registered at any time.
	 */
	private Mono<String> readIdOfUser(String name) {
		return readId(name).filterWhen((userId) -> this.users.findById(userId).hasElement());
	}

	/** GET {@code username:{name}}, never from the cache. */
	Mono<String> readId(String username) {
		return this.redis.opsForValue().get(Keys.username(UsernameRules.fold(username)));
	}

	/**
	 * {@code commit-username.lua}: the id of the user who owns the name now; empty when
	 * the lease no longer guards the name.
	 */
	Mono<String> commit(User user, Lease lease) {
		String key = Keys.username(UsernameRules.fold(user.username()));
		return COMMIT.run(this.redis, List.of(key, Keys.fence(key)), user.id(), lease.owner())
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> answer.get(0));
	}

	/**
	 * SET NX {@code username:{name}}, then GET if somebody has it: whether the name
	 * belongs to the user. A registration of the name at the same moment takes it or
	 * finds it taken.
	 */
	Mono<Boolean> take(User user) {
		return this.redis.opsForValue()
			.setIfAbsent(Keys.username(UsernameRules.fold(user.username())), user.id())
			.flatMap((taken) -> taken ? Mono.just(true) : readId(user.username()).map(user.id()::equals));
	}

	/** {@code discard-value.lua}: frees the name if it belongs to the user. */
	public Mono<Void> free(String userId, String username) {
		return DISCARD_VALUE.run(this.redis, List.of(Keys.username(UsernameRules.fold(username))), "", userId).then();
	}

	@Override
	public void accept(LogEntry entry) {
		if (entry.type() == LogEntry.Type.FREED) {
			this.ids.synchronous().invalidate(entry.facts());
		}
	}

	@Override
	public void reset() {
		this.ids.synchronous().invalidateAll();
	}

}
