package live.retwis.repost;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code reposts:{post}}: who reposts a post, each user with the id of the repost. It is
 * derived from the log.
 */
@Repository
public class RepostRepository {

	/** Most reposts of one post. */
	public static final int MOST = 10_000;

	private static final LuaScript ADD = LuaScript.withDeadline("add-repost");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-repost");

	private final ReactiveStringRedisTemplate redis;

	private final DataNodeCommands data;

	private final DeadlineScriptRunner deadlines;

	RepostRepository(ReactiveStringRedisTemplate redis, DataNodeCommands data, DeadlineScriptRunner deadlines) {
		this.redis = redis;
		this.data = data;
		this.deadlines = deadlines;
	}

	/**
	 * {@code add-repost.lua}.
	 * @return the id of the user's repost, which may be an earlier one; empty when the
	 * post has {@link #MOST} reposts
	 */
	public Mono<String> add(String postId, String userId, String repostId) {
		return this.deadlines.run(ADD, List.of(Keys.reposts(postId)), userId, repostId, Integer.toString(MOST))
			.flatMap((answer) -> Mono.justOrEmpty(answer.stream().findFirst()));
	}

	/** {@code remove-repost.lua}: removes this repost, if it is the user's. */
	public Mono<Void> remove(String postId, String userId, String repostId) {
		return this.deadlines.run(REMOVE, List.of(Keys.reposts(postId)), userId, repostId).then();
	}

	/** HMGET: the id of the user's repost; empty for none. */
	public Mono<String> find(String postId, String userId) {
		return this.data.hmget(Keys.reposts(postId), userId).flatMap((repost) -> Mono.justOrEmpty(repost.get(userId)));
	}

	/** HMGET of each: those of the posts that the user reposts. */
	Mono<List<String>> among(String userId, List<String> postIds) {
		return Flux.fromIterable(postIds)
			.flatMapSequential((postId) -> find(postId, userId).map((repost) -> postId))
			.collectList();
	}

	/** HLEN. */
	public Mono<Long> count(String postId) {
		return this.redis.opsForHash().size(Keys.reposts(postId));
	}

	/**
	 * HGETALL: a page of the users who repost a post, the latest first. A hash has no
	 * order, so it is read as a whole. An id tells when the repost was made, and a user
	 * has one, so places stay where they are while others come and go.
	 */
	Mono<List<Cursor>> users(String postId, Optional<Cursor> before, int count) {
		return this.data.hgetall(Keys.reposts(postId))
			.map((all) -> CursorOrder.after(newestFirst(all), before).stream().limit(count).toList());
	}

	private static List<Cursor> newestFirst(Map<String, String> repostsByUser) {
		return repostsByUser.entrySet()
			.stream()
			.filter((repost) -> TimeSortedIdGenerator.isValid(repost.getValue()))
			.map((repost) -> new Cursor(TimeSortedIdGenerator.millisOf(repost.getValue()), repost.getKey()))
			.sorted(CursorOrder.NEWEST_FIRST)
			.toList();
	}

	/** HSCAN: the ids of all reposts, by user. */
	public Flux<Map.Entry<String, String>> all(String postId) {
		return this.redis.<String, String>opsForHash().scan(Keys.reposts(postId));
	}

	/** EXPIRE: the post is deleted. */
	public Mono<Void> forget(String postId, Duration after) {
		return this.redis.expire(Keys.reposts(postId), after).then();
	}

}
