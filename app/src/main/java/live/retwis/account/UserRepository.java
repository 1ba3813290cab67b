package live.retwis.account;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.BulkCacheReads;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.web.PersonView;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Users: {@code user:{id}}. The log announces every change of what others see of a user,
 * so that is kept in a bounded cache. A user is created here with all fields. After that,
 * {@link CredentialsRepository} and {@link AccountStateRepository} have those that are
 * never cached. {@link StoredPictureReader} reads the picture, which is stored and
 * removed here together with its hash.
 * <p>
 * It hears of a changed user before the posts do, because they show their authors.
 */
@Repository
@Order(Ordered.HIGHEST_PRECEDENCE)
public class UserRepository implements CommitLogListener {

	private static final LuaScript CREATE = LuaScript.named("create-hash");

	private static final LuaScript DISCARD = LuaScript.named("discard-hash");

	private static final LuaScript NOTE_VISIT = LuaScript.named("note-visit");

	private static final LuaScript SET_PROFILE = LuaScript.withDeadline("set-profile");

	private static final LuaScript RETIRE = LuaScript.named("retire-user");

	/** Most users in the cache, about 200 bytes each. */
	private static final int CACHED = 50_000;

	/**
	 * How long the store still knows that a user was deleted, for writes that are in
	 * progress.
	 */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	private final SuspendedAccountsCache suspended;

	private final DeadlineScriptRunner deadlines;

	private final AsyncLoadingCache<String, User> users = Caffeine.newBuilder()
		.maximumSize(CACHED)
		.buildAsync((id, executor) -> CommandRecorderContext.toFuture(readUser(id)));

	UserRepository(DataNodeCommands data, ReactiveStringRedisTemplate redis, SuspendedAccountsCache suspended,
			DeadlineScriptRunner deadlines) {
		this.data = data;
		this.redis = redis;
		this.suspended = suspended;
		this.deadlines = deadlines;
	}

	/** HMGET {@code user:{id}}, unless it is in the cache. */
	public Mono<User> findById(String userId) {
		return CommandRecorderContext.fromFuture(() -> this.users.get(userId));
	}

	/**
	 * Users in the order of their ids. Users that do not exist are left out. Users that
	 * are not in the cache are read in one round trip.
	 */
	public Mono<List<User>> findAll(Collection<String> userIds) {
		return BulkCacheReads.all(this.users, userIds);
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

	/** HMGET {@code user:{id}}, never from the cache. */
	Mono<User> readUser(String userId) {
		return this.data.hmget(Keys.user(userId), "username", "created", "state", "name", "bio", "picture")
			.mapNotNull((fields) -> {
				String username = fields.get("username");
				String created = fields.get("created");
				return (username == null || created == null
						|| AccountStateRepository.DELETED.equals(fields.get("state"))) ? null
								: User.of(userId, username, fields.getOrDefault("name", username),
										fields.getOrDefault("bio", ""), fields.get("picture"), Long.parseLong(created));
			});
	}

	/**
	 * {@code create-hash.lua}: creates a user whom no name refers to yet. It can be
	 * repeated: no two encodings of a password are the same.
	 * @return false when another user has the id
	 */
	Mono<Boolean> create(User user, String encodedPassword) {
		return CREATE
			.run(this.redis, List.of(Keys.user(user.id())), "username", user.username(), "password", encodedPassword,
					"created", Long.toString(user.created()), "name", user.name(), "bio", user.bio(), "auth", "1",
					"state", AccountStateRepository.ACTIVE, "active", Long.toString(user.created()))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/**
	 * HSETNX {@code user:{id}} created, and HSET of the other fields: the same for a user
	 * whose id belongs to nobody else. Until a name refers to the user it can be
	 * repeated, also with another name.
	 */
	Mono<Void> createAgain(User user, String encodedPassword) {
		String key = Keys.user(user.id());
		String created = Long.toString(user.created());
		return Mono.when(this.redis.opsForHash().putIfAbsent(key, "created", created),
				this.redis.opsForHash()
					.putAll(key, Map.of("username", user.username(), "name", user.name(), "bio", user.bio(), "password",
							encodedPassword, "auth", "1", "state", AccountStateRepository.ACTIVE, "active", created)));
	}

	/**
	 * {@code discard-hash.lua}: removes a user that was never registered.
	 * @param username another user with this id has another name, and stays
	 */
	Mono<Void> discard(String userId, String username) {
		return DISCARD.run(this.redis, List.of(Keys.user(userId)), "", "username", username).then();
	}

	/** HMGET: the name of a user. A deleted user has one until {@link #retire}. */
	public Mono<String> nameOf(String userId) {
		return this.redis.<String, String>opsForHash().get(Keys.user(userId), "username");
	}

	/**
	 * {@code retire-user.lua}: removes the name and the picture from a deleted user, and
	 * lets the rest expire.
	 */
	public Mono<Void> retire(String userId) {
		return RETIRE
			.run(this.redis, List.of(Keys.user(userId), Keys.picture(userId)), Long.toString(REMEMBERED.toSeconds()))
			.then();
	}

	/**
	 * {@code set-profile.lua}.
	 * @return whether something has changed
	 */
	Mono<Boolean> setProfile(String userId, String name, String bio, PictureChange picture) {
		String[] args = Stream.concat(Stream.of(name, bio), picture.arguments().stream()).toArray(String[]::new);
		return this.deadlines.run(SET_PROFILE, List.of(Keys.user(userId), Keys.picture(userId)), args)
			.doFinally((end) -> readAgain(userId))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/** {@code note-visit.lua}. */
	Mono<Void> noteVisit(String userId, long millis) {
		return NOTE_VISIT.run(this.redis, List.of(Keys.user(userId)), Long.toString(millis)).then();
	}

	/** The next reader does not get the user from the cache. */
	void readAgain(String userId) {
		this.users.synchronous().invalidate(userId);
	}

	@Override
	public void accept(LogEntry entry) {
		if (entry.type() == LogEntry.Type.CLOSED || entry.type() == LogEntry.Type.PROFILE) {
			readAgain(entry.user());
		}
	}

	@Override
	public void reset() {
		this.users.synchronous().invalidateAll();
	}

}
