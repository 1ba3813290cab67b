package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.LikesAndRepliesArchive;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * The replies to a post: {@code replies:{id}}, post ids by commit time. Those to an
 * archived post may be in the archive.
 */
@Repository
public class ReplyRepository implements PostCleanup {

	private static final LuaScript ADD = LuaScript.withDeadline("add-to-list");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-member");

	/** Most replies kept for one post; the oldest are dropped. */
	public static final int MOST = 10_000;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final LikesAndRepliesArchive archive;

	private final DeadlineScriptRunner deadlines;

	ReplyRepository(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, LikesAndRepliesArchive archive,
			DeadlineScriptRunner deadlines) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.archive = archive;
		this.deadlines = deadlines;
	}

	/** {@code add-to-list.lua}. */
	public Mono<Void> add(String postId, String replyId, long committed) {
		String key = Keys.replies(postId);
		return this.archive.add(key, replyId, committed)
			.flatMap((done) -> done ? Mono.empty()
					: this.deadlines.run(ADD, List.of(key), Integer.toString(MOST), Long.toString(committed), replyId)
						.then());
	}

	/** {@code remove-member.lua}. */
	public Mono<Void> remove(String postId, String replyId) {
		String key = Keys.replies(postId);
		return this.archive.remove(key, replyId)
			.flatMap((done) -> done ? Mono.empty() : this.deadlines.run(REMOVE, List.of(key), replyId).then());
	}

	/** ZCARD. */
	public Mono<Long> count(String postId) {
		return this.archive.findToCount(Keys.replies(postId))
			.then(Mono.defer(() -> this.redis.opsForZSet().size(Keys.replies(postId))));
	}

	/** EXPIRE of the replies to a deleted post. */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.redis.expire(Keys.replies(postId), after).then();
	}

	/**
	 * A page of replies, oldest first, in the order in which a conversation is read.
	 * Fails with {@link ArchiveAwayException} when only the archive has them, which is
	 * away.
	 * @param mayHaveReplies whether the post exists, and was replied to
	 */
	Mono<Page> page(String postId, Optional<Cursor> after, int count, Mono<Boolean> mayHaveReplies) {
		String key = Keys.replies(postId);
		return this.archive.find(key, mayHaveReplies)
			.map((all) -> Page.of(all, after, count))
			.switchIfEmpty(Mono.defer(
					() -> Mono.zip(this.sortedSets.lowest(key, after, count), this.sortedSets.size(key), Page::new)));
	}

	/**
	 * Some of the replies to a post.
	 *
	 * @param places ids with the times of their commits
	 * @param count number of all replies
	 */
	record Page(List<Cursor> places, long count) {

		private static Page of(List<Cursor> all, Optional<Cursor> after, int count) {
			return new Page(all.stream()
				.filter((place) -> after.isEmpty() || CursorOrder.NEWEST_FIRST.compare(place, after.get()) < 0)
				.sorted(CursorOrder.NEWEST_FIRST.reversed())
				.limit(count)
				.toList(), all.size());
		}

	}

}
