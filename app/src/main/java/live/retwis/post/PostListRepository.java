package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.archive.PageTimeLimit;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.SortedSetReader;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Bounded lists of posts by commit time, such as {@code tag:{tag}}. A deleted post that
 * is still in a list is removed when a page that would show it is read.
 */
@Repository
public class PostListRepository {

	/** Most posts of one list. */
	public static final int MOST = 1000;

	/** Posts that are read when the first ones do not fill a page. */
	private static final int MORE = 300;

	private static final LuaScript ADD = LuaScript.withDeadline("add-to-list");

	private static final LuaScript ADD_IF_ROOM = LuaScript.withDeadline("add-if-room");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-member");

	private static final int CONCURRENCY = 16;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final PostRepository posts;

	private final RenderedPosts rendered;

	private final DeadlineScriptRunner deadlines;

	PostListRepository(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, PostRepository posts,
			RenderedPosts rendered, DeadlineScriptRunner deadlines) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.posts = posts;
		this.rendered = rendered;
		this.deadlines = deadlines;
	}

	/**
	 * {@code add-to-list.lua}. The oldest post goes if the list is full.
	 * @param most most posts in the list, at most {@link #MOST}
	 */
	public Mono<Void> add(String key, int most, String postId, long committed) {
		return this.deadlines.run(ADD, List.of(key), Integer.toString(most), Long.toString(committed), postId).then();
	}

	/**
	 * {@code add-to-list.lua}: adds to a list that has only the posts of a while.
	 * @param life how long a post stays in the list
	 */
	public Mono<Void> add(String key, int most, String postId, long committed, Duration life) {
		return this.deadlines
			.run(ADD, List.of(key), Integer.toString(most), Long.toString(committed), postId,
					Long.toString(life.toMillis()))
			.then();
	}

	/** ZREVRANGE: the newest posts of a list, deleted ones among them. */
	public Mono<List<Cursor>> newest(String key, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(key, before, count);
	}

	/**
	 * {@code add-if-room.lua}.
	 * @return whether the post is in the list now; false when the list has {@link #MOST}
	 * others
	 */
	public Mono<Boolean> addIfRoom(String key, String postId, long millis) {
		return this.deadlines.run(ADD_IF_ROOM, List.of(key), Integer.toString(MOST), Long.toString(millis), postId)
			.map((answer) -> !answer.get(0).equals("full"));
	}

	/** {@code remove-member.lua}. */
	public Mono<Void> remove(String key, String postId) {
		return this.deadlines.run(REMOVE, List.of(key), postId).then();
	}

	/** ZCARD. */
	public Mono<Long> size(String key) {
		return this.redis.opsForZSet().size(key);
	}

	/** ZMSCORE: those of the posts that are in the list. */
	public Mono<List<String>> among(String key, List<String> postIds) {
		return this.sortedSets.present(key, postIds);
	}

	/** DEL. */
	public Mono<Void> delete(String key) {
		return this.redis.delete(key).then();
	}

	/**
	 * A page of a list, newest first. If too many of its posts are deleted or hidden,
	 * more are read to fill it, but not all: the page may have fewer posts than it
	 * should, and yet an older one. That is so when the archive was asked for its posts,
	 * so that no page asks it again and again. While the archive is away, an older page
	 * ends before the first post that needs it, and fails if that is its first one.
	 * @param hidden whose posts the viewer does not see
	 */
	public Mono<PostListPage> page(String key, Optional<Cursor> before, int count, Mono<HiddenAuthors> hidden) {
		return page(key, before, count, List.of(), hidden, (most) -> Mono.just(List.of()));
	}

	/**
	 * The same of a list that goes on somewhere else.
	 * @param missing posts that no worker has added yet, newest first
	 * @param rest so many places of the page, newest first, where the list ends; it may
	 * have the same ones
	 */
	public Mono<PostListPage> page(String key, Optional<Cursor> before, int count, List<Cursor> missing,
			Mono<HiddenAuthors> hidden, IntFunction<Mono<List<Cursor>>> rest) {
		return page(key, before, count, missing, hidden, rest, RenderedPosts.placesFor(count))
			.flatMap((page) -> (page.posts().size() >= count || page.older() == null) ? Mono.just(page)
					: PageTimeLimit.hasAsked()
						.flatMap((archive) -> (archive && !page.posts().isEmpty()) ? Mono.just(page)
								: page(key, before, count, missing, hidden, rest, MORE).onErrorResume(
										(error) -> error instanceof ArchiveAwayException && !page.posts().isEmpty(),
										(away) -> Mono.just(page))));
	}

	private Mono<PostListPage> page(String key, Optional<Cursor> before, int count, List<Cursor> missing,
			Mono<HiddenAuthors> hidden, IntFunction<Mono<List<Cursor>>> rest, int read) {
		Mono<List<Cursor>> places = this.sortedSets.highest(key, before, read)
			.flatMap((stored) -> (stored.size() >= read) ? Mono.just(stored) : rest.apply(read)
				.map((more) -> Stream.concat(stored.stream(), more.stream()).distinct().toList()));
		return Mono.zip(places, hidden, (stored, authors) -> page(key, before, count, missing, authors, read, stored))
			.flatMap(Function.identity());
	}

	private Mono<PostListPage> page(String key, Optional<Cursor> before, int count, List<Cursor> missing,
			HiddenAuthors hidden, int read, List<Cursor> stored) {
		Map<String, Cursor> places = Stream
			.concat(stored.stream(), CursorOrder.after(missing, before).stream().limit(read))
			.collect(Collectors.toMap(Cursor::member, Function.identity(), (one, same) -> one));
		List<String> postIds = places.values()
			.stream()
			.sorted(CursorOrder.NEWEST_FIRST)
			.limit(read)
			.map(Cursor::member)
			.toList();
		return this.rendered.find(postIds, HiddenAuthors.NOBODY, before.isPresent())
			.flatMap((slice) -> removeDeleted(key, slice.ids(), slice.posts())
				.thenReturn(PostListPage.of(key, slice.without((post) -> post.isHidden(hidden)), places, count))
				.flatMap((page) -> OlderPostsAbsence.withoutIf(slice.isCut() && page.posts().size() < count, page)));
	}

	/**
	 * HMGET of each post that was not found, and ZREM. Posts of suspended users are known
	 * to be there. While the node takes no writes, nothing is removed. A later page does
	 * it.
	 */
	private Mono<Void> removeDeleted(String key, List<String> postIds, List<RenderedPost> found) {
		Set<String> shown = found.stream().map((post) -> post.listed().id()).collect(Collectors.toSet());
		return Flux.fromIterable(postIds)
			.filter((postId) -> !shown.contains(postId))
			.filterWhen((postId) -> this.rendered.isKept(postId).map((kept) -> !kept), CONCURRENCY)
			.filterWhen((postId) -> this.posts.isThere(postId).map((there) -> !there), CONCURRENCY)
			.collectList()
			.filter((gone) -> !gone.isEmpty())
			.flatMap((gone) -> this.redis.opsForZSet()
				.remove(key, gone.toArray())
				.onErrorComplete(RedisErrorClassifier::isAway))
			.then();
	}

}
