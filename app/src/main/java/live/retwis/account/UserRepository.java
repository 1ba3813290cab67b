package live.retwis.account;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.locks.Lease;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.picture.Picture;
import live.retwis.redis.CacheLoads;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import live.retwis.web.PersonView;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Users: {@code user:{id}}, {@code {user:{id}}:picture}, {@code username:{name}} and
 * {@code users:recent}. A name belongs to its user until the account is deleted. The log
 * announces that, and every change of a user. So both are kept in bounded caches. Data
 * that decides who is logged in is never cached.
 * <p>
 * It hears of a changed user before the posts do, because they show their authors.
 */
@Repository
@Order(Ordered.HIGHEST_PRECEDENCE)
public class UserRepository implements LogListener {

	private static final LuaScript COMMIT_USERNAME = LuaScript.named("commit-username");

	private static final LuaScript ADD_TO_RECENT = LuaScript.named("add-to-list");

	private static final LuaScript NOTE_VISIT = LuaScript.named("note-visit");

	private static final LuaScript SET_PROFILE = LuaScript.named("set-profile");

	private static final LuaScript REPLACE_PASSWORD = LuaScript.named("replace-password");

	private static final LuaScript CLOSE = LuaScript.named("close-account");

	private static final LuaScript RETIRE = LuaScript.named("retire-user");

	private static final LuaScript SET_SUSPENDED = LuaScript.named("set-suspended");

	private static final LuaScript DISCARD_VALUE = LuaScript.named("discard-value");

	private static final String ACTIVE = "active";

	/** The state of a user who has deleted the account. */
	public static final String DELETED = "deleted";

	/** The state of a user whom an operator has suspended. */
	public static final String SUSPENDED = "suspended";

	/** Most users in {@code users:recent}. */
	public static final int RECENT = 1000;

	/** Most entries of each cache, about 200 bytes each. */
	private static final int CACHED = 50_000;

	/**
	 * How long the store still knows that a user was deleted, for writes that are in
	 * progress.
	 */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	private final DataNode data;

	private final SortedSets sortedSets;

	private final ReactiveStringRedisTemplate redis;

	private final SuspendedAccounts suspended;

	private final AsyncLoadingCache<String, User> users = Caffeine.newBuilder()
		.maximumSize(CACHED)
		.buildAsync((id, executor) -> readUser(id).toFuture());

	private final AsyncLoadingCache<String, String> ids = Caffeine.newBuilder()
		.maximumSize(CACHED)
		.buildAsync((name, executor) -> readId(name).toFuture());

	UserRepository(DataNode data, SortedSets sortedSets, ReactiveStringRedisTemplate redis,
			SuspendedAccounts suspended) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.redis = redis;
		this.suspended = suspended;
	}

	/**
	 * GET {@code username:{name}}, unless it is in the cache. Ignores the case of the
	 * name.
	 */
	public Mono<String> findId(String username) {
		return Username.isValid(username) ? cached(this.ids.get(Username.fold(username))) : Mono.empty();
	}

	/** HMGET {@code user:{id}}, unless it is in the cache. */
	public Mono<User> findById(String userId) {
		return cached(this.users.get(userId));
	}

	/**
	 * A user by name: {@link #findId}, then {@link #findById}. Empty when the user is
	 * suspended.
	 */
	public Mono<User> findByUsername(String username) {
		return findId(username).filter((userId) -> !this.suspended.contains(userId)).flatMap(this::findById);
	}

	/**
	 * Users in the order of their ids. Users that do not exist are left out. Users that
	 * are not in the cache are read in one round trip.
	 */
	public Mono<List<User>> findAll(Collection<String> userIds) {
		return CacheLoads.all(this.users, userIds);
	}

	/** The same without suspended users. */
	public Mono<List<User>> findShown(Collection<String> userIds) {
		return findAll(userIds.stream().filter((userId) -> !this.suspended.contains(userId)).toList());
	}

	/**
	 * The users of one page of a list, as items with the time by which the list is
	 * sorted. Suspended users are left out.
	 */
	public Mono<List<PersonView>> findPeople(List<Cursor> places) {
		return findShown(places.stream().map(Cursor::member).toList()).map((users) -> {
			Map<String, Long> since = places.stream().collect(Collectors.toMap(Cursor::member, Cursor::score));
			return users.stream().map((user) -> user.since(since.getOrDefault(user.id(), 0L))).toList();
		});
	}

	/** ZREVRANGE {@code users:recent}: the users who registered last, with the time. */
	public Mono<List<Cursor>> recent(int count) {
		return this.sortedSets.highest(Keys.RECENT_USERS, Optional.empty(), count);
	}

	/** GET {@code username:{name}}, never from the cache. */
	Mono<String> readId(String username) {
		return this.redis.opsForValue().get(Keys.username(Username.fold(username)));
	}

	/** HMGET {@code user:{id}}, never from the cache. */
	Mono<User> readUser(String userId) {
		return this.data.hmget(Keys.user(userId), "username", "created", "state", "name", "bio", "picture")
			.mapNotNull((fields) -> {
				String username = fields.get(0);
				String created = fields.get(1);
				return (username == null || created == null || DELETED.equals(fields.get(2))) ? null
						: User.of(userId, username, Objects.requireNonNullElse(fields.get(3), username),
								Objects.requireNonNullElse(fields.get(4), ""), fields.get(5), Long.parseLong(created));
			});
	}

	/**
	 * HSETNX {@code user:{id}} created, then HSET of the other fields: creates a user
	 * whom no name refers to yet. Two round trips.
	 * @return false when another user has the id
	 */
	Mono<Boolean> create(User user, String encodedPassword) {
		return reserve(user).flatMap((mine) -> mine ? fill(user, encodedPassword) : Mono.just(false));
	}

	/**
	 * The same in one round trip, for a user whose id belongs to nobody else. Until a
	 * name refers to the user it can be repeated, also with another name.
	 */
	Mono<Void> createAgain(User user, String encodedPassword) {
		return Mono.when(reserve(user), fill(user, encodedPassword));
	}

	private Mono<Boolean> reserve(User user) {
		return this.redis.opsForHash().putIfAbsent(Keys.user(user.id()), "created", Long.toString(user.created()));
	}

	private Mono<Boolean> fill(User user, String encodedPassword) {
		return this.redis.opsForHash()
			.putAll(Keys.user(user.id()), Map.of("username", user.username(), "name", user.name(), "password",
					encodedPassword, "auth", "1", "state", ACTIVE, "active", Long.toString(user.created())));
	}

	/**
	 * {@code commit-username.lua}: the id of the user who owns the name now; empty when
	 * the lease no longer guards the name.
	 */
	Mono<String> commitUsername(User user, Lease lease) {
		String key = Keys.username(Username.fold(user.username()));
		return COMMIT_USERNAME.run(this.redis, List.of(key, Keys.fence(key)), user.id(), lease.owner())
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> answer.get(0));
	}

	/**
	 * SET NX {@code username:{name}}, then GET if somebody has it: whether the name
	 * belongs to the user. A registration of the name at the same moment takes it or
	 * finds it taken.
	 */
	Mono<Boolean> takeName(User user) {
		return this.redis.opsForValue()
			.setIfAbsent(Keys.username(Username.fold(user.username())), user.id())
			.flatMap((taken) -> taken ? Mono.just(true) : readId(user.username()).map(user.id()::equals));
	}

	/** {@code add-to-list.lua} on {@code users:recent}. */
	Mono<Void> addRecent(User user) {
		return ADD_TO_RECENT
			.run(this.redis, List.of(Keys.RECENT_USERS), Integer.toString(RECENT), Long.toString(user.created()),
					user.id())
			.then();
	}

	/** DEL: removes a user whom no name refers to. */
	Mono<Void> discard(String userId) {
		return this.redis.delete(Keys.user(userId)).then();
	}

	/**
	 * {@code close-account.lua}: whether the account is deleted; false when the session
	 * is over. Empty when the lease no longer guards the user.
	 */
	Mono<Boolean> close(Session session, Lease lease, long millis) {
		String userId = session.viewer().id();
		String key = Keys.user(userId);
		return CLOSE
			.run(this.redis, List.of(key, Keys.fence(key)), session.generation(), lease.owner(), Long.toString(millis))
			.doFinally((end) -> this.users.synchronous().invalidate(userId))
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> answer.get(0).equals("1"));
	}

	/**
	 * {@code set-suspended.lua}: whether the user exists, and now has that state. Empty
	 * when the lease no longer guards the user.
	 */
	Mono<Boolean> setSuspended(String userId, boolean suspended, Lease lease, long millis) {
		String key = Keys.user(userId);
		return SET_SUSPENDED
			.run(this.redis, List.of(key, Keys.fence(key)), lease.owner(), suspended ? SUSPENDED : ACTIVE,
					Long.toString(millis))
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> answer.get(0).equals("1"));
	}

	/** HMGET: the state of a user; empty when there is no such user. */
	Mono<String> stateOf(String userId) {
		return this.redis.<String, String>opsForHash().get(Keys.user(userId), "state");
	}

	/** HMGET: whether the user does not exist or is deleted, read from the data node. */
	public Mono<Boolean> isGone(String userId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.user(userId), List.of("auth", "state"))
			.map((fields) -> fields.get(0) == null || DELETED.equals(fields.get(1)));
	}

	/** HMGET: the name of a user. A deleted user has one until {@link #retire}. */
	public Mono<String> nameOf(String userId) {
		return this.redis.<String, String>opsForHash().get(Keys.user(userId), "username");
	}

	/** {@code discard-value.lua}: frees the name if it belongs to the user. */
	public Mono<Void> freeName(String userId, String username) {
		return DISCARD_VALUE.run(this.redis, List.of(Keys.username(Username.fold(username))), "", userId).then();
	}

	/** ZREM {@code users:recent}. */
	public Mono<Void> removeRecent(String userId) {
		return this.redis.opsForZSet().remove(Keys.RECENT_USERS, userId).then();
	}

	/**
	 * {@code retire-user.lua}: removes the name from a deleted user, and lets the rest
	 * expire.
	 */
	public Mono<Void> retire(String userId) {
		return RETIRE.run(this.redis, List.of(Keys.user(userId)), Long.toString(REMEMBERED.toSeconds())).then();
	}

	/**
	 * GET {@code {user:{id}}:picture}; empty when the user has none, is gone or is
	 * suspended.
	 */
	public Mono<Picture> findPicture(String userId) {
		return !Ids.isValid(userId) || this.suspended.contains(userId) ? Mono.empty()
				: findById(userId).flatMap((user) -> this.data.get(Keys.picture(userId))).map(Picture::ofBase64);
	}

	/** DEL {@code {user:{id}}:picture}. */
	public Mono<Void> removePicture(String userId) {
		return this.redis.delete(Keys.picture(userId)).then();
	}

	/** {@code set-profile.lua}. */
	Mono<Void> setProfile(String userId, String name, String bio, PictureChange picture) {
		String[] args = Stream.concat(Stream.of(name, bio), picture.arguments().stream()).toArray(String[]::new);
		return SET_PROFILE.run(this.redis, List.of(Keys.user(userId), Keys.picture(userId)), args)
			.doFinally((end) -> this.users.synchronous().invalidate(userId))
			.then();
	}

	/** {@code note-visit.lua}. */
	Mono<Void> noteVisit(String userId, long millis) {
		return NOTE_VISIT.run(this.redis, List.of(Keys.user(userId)), Long.toString(millis)).then();
	}

	/**
	 * HMGET {@code user:{id}} password, auth, state: the data that a log-in is checked
	 * against.
	 */
	Mono<Credentials> credentials(String userId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.user(userId), List.of("password", "auth", "state"))
			.filter((fields) -> fields.get(0) != null && fields.get(1) != null)
			.map((fields) -> new Credentials(userId, fields.get(0), fields.get(1), SUSPENDED.equals(fields.get(2))));
	}

	/**
	 * {@code replace-password.lua}: encodes the same password in another way, unless the
	 * password was changed meanwhile.
	 */
	Mono<Void> replacePassword(Credentials stored, String encoded) {
		return REPLACE_PASSWORD.run(this.redis, List.of(Keys.user(stored.userId())), stored.password(), encoded).then();
	}

	/** HMGET: whether the user has deleted the account less than a day ago. */
	Mono<Boolean> isDeleted(String userId) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.user(userId), "state")
			.map(DELETED::equals)
			.defaultIfEmpty(false);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case CLOSED, PROFILE -> this.users.synchronous().invalidate(entry.user());
			case FREED -> this.ids.synchronous().invalidate(entry.facts());
			default -> {
			}
		}
	}

	@Override
	public void reset() {
		this.users.synchronous().invalidateAll();
		this.ids.synchronous().invalidateAll();
	}

	private static <T> Mono<T> cached(CompletableFuture<T> future) {
		return Mono.fromFuture(future, true);
	}

	/**
	 * The data that a log-in is checked against.
	 *
	 * @param userId user id
	 * @param password encoded password
	 * @param generation auth generation, read together with the password
	 * @param suspended whether the user is suspended
	 */
	record Credentials(String userId, String password, String generation, boolean suspended) {
	}

}
