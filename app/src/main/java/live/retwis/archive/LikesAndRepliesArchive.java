package live.retwis.archive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataClock;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/**
 * The lists of archived posts, which may be in the archive: who likes a post, and its
 * replies. {@link LikesAndRepliesMover} moves them there when nobody has used them for a
 * while.
 * <p>
 * Who reads a list calls {@link #find} first, which brings it back. Who changes one need
 * not know where it is: {@link #add} and {@link #remove} change what is in Redis, and a
 * list that comes back later is changed then. So no worker waits for the archive.
 * <p>
 * Beside each list in Redis there is a mark with the time of its last use. As long as it
 * is there, the list in Redis is the right one, whatever the archive has.
 */
@Component
public class LikesAndRepliesArchive {

	/** Most members of a list, by the beginning of its name. */
	private static final Map<String, Integer> MOST = Map.of("likes", 100_000, "replies", 10_000);

	/** Prefix of the mark when Redis holds only changes to the list. */
	static final String COMING = "-";

	private static final int NONCE_BITS = 96;

	/** Deleted posts whose likes are read at the same time: there may be many. */
	private static final int AT_ONCE = 10;

	private static final int CONCURRENCY = 16;

	private static final LuaScript USE = LuaScript.named("use-list");

	private static final LuaScript RESTORE = LuaScript.named("restore-list");

	private static final LuaScript CHANGE = LuaScript.withDeadline("change-list");

	/** The lists that are just coming back, see {@link #shared}. */
	private final Map<String, Mono<Optional<List<Cursor>>>> coming = new ConcurrentHashMap<>();

	private final ArchivedLikesAndRepliesRepository archive;

	private final PostArchive posts;

	private final ArchiveDatabase database;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	private final DeadlineScriptRunner deadlines;

	LikesAndRepliesArchive(ArchivedLikesAndRepliesRepository archive, PostArchive posts, ArchiveDatabase database,
			ReactiveStringRedisTemplate redis, DataClock clock, DeadlineScriptRunner deadlines) {
		this.archive = archive;
		this.posts = posts;
		this.database = database;
		this.redis = redis;
		this.clock = clock;
		this.deadlines = deadlines;
	}

	/**
	 * Brings a list back that somebody wants to read, if the archive has it. For the list
	 * of a post that is not archived, that is one HMGET; without an archive, nothing.
	 * Nothing is kept of the lists of posts that do not exist or are deleted. All who ask
	 * at the same time share it. Fails with {@link ArchiveAwayException} when the list
	 * may be in the archive, which is away.
	 * @param name the key of the list, which ends with the id of the post
	 * @param mayHaveMembers whether the post exists, and its count is not 0. Only asked
	 * when Redis has neither the post nor the list
	 * @return the members, the latest first, when Redis takes no writes now; else empty,
	 * because Redis has them
	 */
	public Mono<List<Cursor>> find(String name, Mono<Boolean> mayHaveMembers) {
		return !this.database.isUsed() ? Mono.empty()
				: isNeeded(name, mayHaveMembers)
					.flatMap((needed) -> PageTimeLimit
						.withinShared(Mono.defer(() -> this.coming.computeIfAbsent(name, this::shared))))
					.flatMap((asked) -> PageTimeLimit.noteQuestion().then(Mono.justOrEmpty(asked)));
	}

	/**
	 * Empty when the archive was not asked, because the list was in Redis. An empty
	 * optional when it is there now.
	 */
	private Mono<Optional<List<Cursor>>> shared(String name) {
		return restored(name).map((done) -> Optional.<List<Cursor>>empty())
			.onErrorResume((error) -> !(error instanceof ArchiveAwayException) && RedisErrorClassifier.isAway(error),
					(noWrites) -> readOnly(name).map(Optional::of))
			.doFinally((end) -> this.coming.remove(name))
			.contextWrite((ofFirstPage) -> Context.empty())
			.cache();
	}

	/** The list as {@link #bringBack} would restore it; empty when it is in Redis. */
	private Mono<List<Cursor>> readOnly(String name) {
		return this.redis.opsForValue()
			.get(Keys.listInUse(name))
			.map((mark) -> !mark.startsWith(COMING))
			.defaultIfEmpty(false)
			.filter((here) -> !here)
			.flatMap((away) -> Mono.zip(this.archive.find(name).defaultIfEmpty(""),
					this.redis.opsForZSet().rangeWithScores(name, Range.unbounded()).collectList(),
					LikesAndRepliesArchive::changed));
	}

	/**
	 * A list from the archive with its changes. A removed member has a negative score.
	 */
	private static List<Cursor> changed(String archived, List<TypedTuple<String>> changes) {
		Map<String, Double> members = new HashMap<>();
		List<String> parts = split(archived);
		for (int i = 0; i + 1 < parts.size(); i += 2) {
			members.put(parts.get(i), Double.valueOf(parts.get(i + 1)));
		}
		changes.forEach(
				(change) -> members.put(String.valueOf(change.getValue()), Objects.requireNonNull(change.getScore())));
		return members.entrySet()
			.stream()
			.filter((member) -> member.getValue() >= 0)
			.map((member) -> new Cursor(member.getValue().longValue(), member.getKey()))
			.sorted(CursorOrder.NEWEST_FIRST)
			.toList();
	}

	/**
	 * Brings a list back for work in the background. It fails also when no setting names
	 * the archive. Else what is only in the archive would count as nothing.
	 */
	public Mono<Void> findToCount(String name) {
		Mono<Boolean> mayHaveMembers = this.posts.find(postOf(name)).map((post) -> post.count(kindOf(name)) > 0);
		return isNeeded(name, mayHaveMembers).flatMap((needed) -> bringBack(name));
	}

	/**
	 * Whether the list is one of an archived post. HMGET, and GET of the mark; nothing
	 * where there is no archive.
	 */
	private Mono<Boolean> isNeeded(String name, Mono<Boolean> mayHaveMembers) {
		return this.posts.existedLately()
			.filter(Boolean::booleanValue)
			.flatMap((there) -> stateIfReadable(name))
			.filter((post) -> !post.containsKey("author"))
			.flatMap((archived) -> this.redis.opsForValue()
				.get(Keys.listInUse(name))
				.map((mark) -> true)
				.switchIfEmpty(mayHaveMembers))
			.filter(Boolean::booleanValue);
	}

	/**
	 * {@code change-list.lua}: adds a member to the list of an archived post.
	 * @return false when the post is not archived, so that nothing was done
	 */
	public Mono<Boolean> add(String name, String member, long score) {
		return change(name, member, Long.toString(score));
	}

	/**
	 * {@code change-list.lua}: takes a member out of the list of an archived post.
	 * @return false when the post is not archived, so that nothing was done
	 */
	public Mono<Boolean> remove(String name, String member) {
		return change(name, member, "");
	}

	private Mono<Boolean> change(String name, String member, String score) {
		return isArchived(name).flatMap((archived) -> !archived ? Mono.just(false) : this.clock.millis()
			.flatMap((now) -> note(List.of(name), now).then(this.deadlines.run(CHANGE,
					List.of(name, Keys.listInUse(name)), Long.toString(now), most(name), member, score, nonce())))
			.thenReturn(true));
	}

	/**
	 * Whether Redis does not have the post of a list, or calls it deleted although the
	 * archive has it. The lists of a post that was deleted before it was archived are in
	 * Redis.
	 */
	private Mono<Boolean> isArchived(String name) {
		return this.posts.existedLately()
			.filter(Boolean::booleanValue)
			.flatMap((there) -> stateIfReadable(name))
			.map((post) -> !post.containsKey("author") || (post.containsKey("deleted") && post.containsKey("archived")))
			.defaultIfEmpty(false);
	}

	/** Whether Redis has the post that a list belongs to. */
	Mono<Boolean> isOfHotPost(String name) {
		return state(name).map((post) -> post.containsKey("author") && !post.containsKey("deleted"));
	}

	/**
	 * When the key holds something else, the archive may have the post. Its list is
	 * brought back then, so that no change of it is lost.
	 */
	private Mono<Map<String, String>> stateIfReadable(String name) {
		return state(name).onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.just(Map.of()));
	}

	/** HMGET. */
	private Mono<Map<String, String>> state(String name) {
		return HashFields.read(this.redis, Keys.post(postOf(name)), "author", "deleted", "archived");
	}

	private static String kindOf(String name) {
		return name.substring(0, name.indexOf(':'));
	}

	/** Fails for a kind of list that the archive does not have. */
	private static String most(String name) {
		return Integer.toString(Objects.requireNonNull(MOST.get(kindOf(name)), name));
	}

	private static String postOf(String name) {
		return name.substring(name.indexOf(':') + 1);
	}

	/**
	 * {@code use-list.lua}; a list that is not here is noted for
	 * {@link LikesAndRepliesMover} and read, and {@code restore-list.lua} brings it back.
	 * It can be repeated.
	 */
	Mono<Void> bringBack(String name) {
		return restored(name).then();
	}

	/** The answer of {@code restore-list.lua}; empty when the list was in Redis. */
	private Mono<List<String>> restored(String name) {
		return this.clock.millis()
			.flatMap((now) -> note(List.of(name), now)
				.then(USE.run(this.redis, List.of(Keys.listInUse(name)), Long.toString(now), nonce()))
				.filter((answer) -> answer.get(0).equals("away"))
				.flatMap((away) -> this.archive.find(name)
					.defaultIfEmpty("")
					.flatMap((members) -> RESTORE.run(this.redis, List.of(name, Keys.listInUse(name)),
							args(name, now, away.get(1), members)))));
	}

	private static String nonce() {
		return RandomTokens.ofBits(NONCE_BITS);
	}

	private static String[] args(String name, long now, String mark, String members) {
		List<String> args = new ArrayList<>(List.of(Long.toString(now), most(name), mark));
		args.addAll(split(members));
		return args.toArray(String[]::new);
	}

	private static List<String> split(String members) {
		return members.isEmpty() ? List.of() : List.of(members.split(" "));
	}

	/**
	 * Forgets the lists of deleted posts, first in the archive and then in Redis, and
	 * takes the posts out of what their likers like. It can be repeated. A list that
	 * somebody is just bringing back does not come, because its mark is gone. What is
	 * noted of the lists is left to {@link LikesAndRepliesMover}.
	 */
	public Mono<Void> forget(Collection<String> postIds) {
		return Flux.fromIterable(postIds).buffer(AT_ONCE).concatMap(this::forgetSome).then();
	}

	private Mono<Void> forgetSome(List<String> postIds) {
		List<String> likes = postIds.stream().map(Keys::likes).toList();
		List<String> names = Stream.concat(likes.stream(), postIds.stream().map(Keys::replies)).toList();
		return this.archive.readBack(likes)
			.flatMapMany((stored) -> Flux.fromIterable(postIds)
				.concatMap((id) -> forgetLikes(id, split(stored.getOrDefault(Keys.likes(id), "")))))
			.then(this.archive.remove(names))
			.thenMany(Flux.fromIterable(names))
			.flatMap((name) -> this.redis.delete(name, Keys.listInUse(name)), CONCURRENCY)
			.then();
	}

	/**
	 * ZRANGE, and ZREM for each user who likes the post, in Redis or in the archive. A
	 * key of another type is passed over.
	 */
	private Mono<Void> forgetLikes(String postId, List<String> archived) {
		return this.redis.opsForZSet()
			.range(Keys.likes(postId), Range.unbounded())
			.collectList()
			.flatMapIterable(Function.identity())
			.concatWith(Flux.range(0, archived.size() / 2).map((i) -> archived.get(2 * i)))
			.flatMap((userId) -> this.redis.opsForZSet()
				.remove(Keys.liked(userId), postId)
				.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty()), CONCURRENCY)
			.then();
	}

	/** ZADD: these lists of archived posts are in Redis. */
	Mono<Void> note(Collection<String> names, long now) {
		return names.isEmpty() ? Mono.empty()
				: Flux.fromIterable(names)
					.map((name) -> TypedTuple.of(name, (double) now))
					.collect(Collectors.toSet())
					.flatMap((tuples) -> this.redis.opsForZSet().addAll(Keys.ARCHIVE_LISTS, tuples))
					.then();
	}

}
