package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import live.retwis.background.PeriodicTask;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Does in the archive what was noted in Redis: deletes posts, and counts reactions again
 * that changed while the archive was away. Any instance does it, and it can be repeated.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class ArchiveSweeper extends PeriodicTask {

	private static final Duration EVERY = Duration.ofSeconds(30);

	/**
	 * Posts deleted before that are deleted in the archive. A mover may have read one
	 * just before it was deleted, and write it half a minute later at most.
	 */
	private static final Duration AGE = Duration.ofMinutes(2);

	/** How long a deleted post is still known as deleted, as for all other posts. */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	private static final int BATCH = 500;

	private static final int CONCURRENCY = 16;

	/** Before the first post of an author. */
	private static final Cursor START = new Cursor(0, "");

	private static final LuaScript FORGET = LuaScript.named("forget-archived");

	private static final LuaScript UNCOUNT = LuaScript.named("uncount-archived");

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	ArchiveSweeper(ArchiveDatabase database, ArchivedPostRepository archive, ReactiveStringRedisTemplate redis,
			DataClock clock) {
		super(EVERY);
		this.database = database;
		this.archive = archive;
		this.redis = redis;
		this.clock = clock;
	}

	@Override
	public void start() {
		if (this.database.isUsed()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return this.database.isOpen() ? this.clock.millis().flatMap((now) -> sweep(now - AGE.toMillis()))
				: Mono.empty();
	}

	/**
	 * Deletes what was noted before a time, and counts again.
	 * @param before ms
	 */
	Mono<Void> sweep(long before) {
		return some(Keys.ARCHIVE_DELETED, before).flatMap(this::delete)
			.then(some(Keys.ARCHIVE_COUNTS, Long.MAX_VALUE).flatMap(this::count));
	}

	/** ZRANGEBYSCORE. */
	private Mono<List<String>> some(String key, long before) {
		return this.redis.opsForZSet()
			.rangeByScore(key, Range.closed(0.0, (double) before), Limit.limit().count(BATCH))
			.collectList()
			.filter((some) -> !some.isEmpty());
	}

	/**
	 * The authors' lists count the archived posts, so they are told first. A post that
	 * was deleted while it moved was never counted. So the archive, and not the number,
	 * says whether a list still goes on there.
	 */
	private Mono<Void> delete(List<String> ids) {
		return this.archive.readBack(ids)
			.map((found) -> found.values()
				.stream()
				.collect(Collectors.groupingBy(ArchivedPost::author, Collectors.counting())))
			.flatMap((byAuthor) -> Flux.fromIterable(byAuthor.entrySet())
				.concatMap((author) -> uncount(author.getKey(), author.getValue(), false))
				.then(this.archive.remove(ids))
				.thenMany(Flux.fromIterable(byAuthor.keySet()))
				.concatMap((author) -> this.archive.earliest(author, START, 1)
					.filter(List::isEmpty)
					.flatMap((none) -> uncount(author, 0, true)))
				.then())
			.thenMany(Flux.fromIterable(ids))
			.flatMap((id) -> FORGET.run(this.redis, List.of(Keys.post(id)), Long.toString(REMEMBERED.toSeconds())),
					CONCURRENCY)
			.then(this.redis.opsForZSet().remove(Keys.ARCHIVE_DELETED, ids.toArray()))
			.then();
	}

	private Mono<List<String>> uncount(String author, long posts, boolean none) {
		return UNCOUNT.run(this.redis, List.of(Keys.postsOf(author)), Long.toString(posts), none ? "1" : "0");
	}

	private Mono<Void> count(List<String> ids) {
		return Flux.fromIterable(ids)
			.concatMap((id) -> this.redis.opsForZSet()
				.remove(Keys.ARCHIVE_COUNTS, id)
				.then(count(id, "replies", this.redis.opsForZSet().size(Keys.replies(id))))
				.then(count(id, "likes", this.redis.opsForZSet().size(Keys.likes(id))))
				.then(count(id, "reposts", this.redis.opsForHash().size(Keys.reposts(id))))
				.onErrorResume(
						(error) -> this.redis.opsForZSet().add(Keys.ARCHIVE_COUNTS, id, 0).then(Mono.error(error))))
			.then();
	}

	private Mono<Void> count(String id, String field, Mono<Long> current) {
		return current.flatMap((count) -> this.archive.setCount(id, field, count));
	}

}
