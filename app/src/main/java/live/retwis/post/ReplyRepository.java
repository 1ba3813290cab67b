package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/** The replies to a post: {@code replies:{id}}, post ids by commit time. */
@Repository
public class ReplyRepository implements PostCleanup {

	private static final LuaScript ADD = LuaScript.named("add-to-list");

	/** Most replies kept for one post; the oldest are dropped. */
	public static final int MOST = 10_000;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSets sortedSets;

	ReplyRepository(ReactiveStringRedisTemplate redis, SortedSets sortedSets) {
		this.redis = redis;
		this.sortedSets = sortedSets;
	}

	/** {@code add-to-list.lua}. */
	public Mono<Void> add(String postId, String replyId, long committed) {
		return ADD
			.run(this.redis, List.of(Keys.replies(postId)), Integer.toString(MOST), Long.toString(committed), replyId)
			.then();
	}

	/** ZREM. */
	public Mono<Void> remove(String postId, String replyId) {
		return this.redis.opsForZSet().remove(Keys.replies(postId), replyId).then();
	}

	/** ZCARD. */
	public Mono<Long> count(String postId) {
		return this.redis.opsForZSet().size(Keys.replies(postId));
	}

	/** EXPIRE of the replies to a deleted post. */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.redis.expire(Keys.replies(postId), after).then();
	}

	/** A page of replies, oldest first, in the order in which a conversation is read. */
	Mono<List<Cursor>> page(String postId, Optional<Cursor> after, int count) {
		return this.sortedSets.lowest(Keys.replies(postId), after, count);
	}

}
