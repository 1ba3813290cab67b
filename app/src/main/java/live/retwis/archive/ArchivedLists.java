package live.retwis.archive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/**
 * Brings lists of archived posts back into Redis when they are needed: who likes a post,
 * and its replies. {@link ListMover} moves them to the archive when nobody has used them
 * for a while.
 * <p>
 * Beside each list that was brought back there is a mark with the time of its last use.
 * As long as the mark is there, the list in Redis is the right one, whatever the archive
 * has. So those who read a list call {@link #find} first, and those who change one call
 * {@link #use}.
 */
@Component
public class ArchivedLists {

	/** The mark of a list that is being brought back. */
	static final String COMING = "-";

	private static final LuaScript USE = LuaScript.named("use-list");

	private static final LuaScript RESTORE = LuaScript.named("restore-list");

	private final ArchivedListRepository archive;

	private final ArchiveDatabase database;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	ArchivedLists(ArchivedListRepository archive, ArchiveDatabase database, ReactiveStringRedisTemplate redis,
			DataClock clock) {
		this.archive = archive;
		this.database = database;
		this.redis = redis;
		this.clock = clock;
	}

	/**
	 * Brings a list back that somebody wants to read, if the archive has it. Nothing is
	 * kept of the lists of posts that do not exist.
	 * @param name the key of the list, which ends with the id of the post
	 * @see #use
	 */
	public Mono<Void> find(String name) {
		return ofArchived(name,
				this.redis.opsForValue()
					.get(Keys.listInUse(name))
					.filter((mark) -> !mark.equals(COMING))
					.switchIfEmpty(this.archive.find(name))
					.flatMap((there) -> bringBack(name)));
	}

	/**
	 * Makes sure that a list is in Redis, and stays there while somebody changes it. For
	 * the list of a post that is not archived, that is one HMGET; without an archive,
	 * nothing. Fails with {@link ArchiveAwayException} when the list may be in the
	 * archive, which is away.
	 * @param name the key of the list, which ends with the id of the post
	 */
	public Mono<Void> use(String name) {
		return ofArchived(name, bringBack(name));
	}

	/**
	 * A post that is deleted without having been archived has its lists in Redis, too.
	 */
	private Mono<Void> ofArchived(String name, Mono<Void> bringBack) {
		return !this.database.isUsed() ? Mono.empty()
				: state(name).filter((row) -> row.get(0) == null || (row.get(1) != null && row.get(2) != null))
					.flatMap((archived) -> bringBack);
	}

	/** HMGET: whether Redis has the post that a list belongs to. */
	Mono<Boolean> isOfHotPost(String name) {
		return state(name).map((row) -> row.get(0) != null && row.get(1) == null);
	}

	private Mono<List<@Nullable String>> state(String name) {
		return this.redis.<String, @Nullable String>opsForHash()
			.multiGet(Keys.post(name.substring(name.indexOf(':') + 1)), List.of("author", "deleted", "archived"));
	}

	/**
	 * {@code use-list.lua}; a list that is not here is noted for {@link ListMover} and
	 * read, and {@code restore-list.lua} brings it back. It can be repeated.
	 */
	Mono<Void> bringBack(String name) {
		return this.clock.millis()
			.flatMap((now) -> USE.run(this.redis, List.of(Keys.listInUse(name)), Long.toString(now))
				.filter((answer) -> answer.get(0).equals("away"))
				.delayUntil((away) -> note(List.of(name), now))
				.flatMap((away) -> this.archive.find(name).defaultIfEmpty(""))
				.flatMap((members) -> RESTORE.run(this.redis, List.of(name, Keys.listInUse(name)), args(now, members))))
			.then();
	}

	private static String[] args(long now, String members) {
		List<String> args = new ArrayList<>(List.of(Long.toString(now)));
		args.addAll(split(members));
		return args.toArray(String[]::new);
	}

	private static List<String> split(String members) {
		return members.isEmpty() ? List.of() : List.of(members.split(" "));
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
