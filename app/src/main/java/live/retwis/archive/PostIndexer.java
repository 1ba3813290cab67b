package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import live.retwis.background.PeriodicTask;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/**
 * Writes the tags and words of posts into the archive long before the posts move there.
 * Redis has only the newest posts of each tag, and the words of some days, so nobody
 * would find other posts in between. New posts are noted in Redis. Those from before
 * there was such an archive are not, so all posts are gone through once. Any instance
 * does it, and it can be repeated.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class PostIndexer extends PeriodicTask {

	/**
	 * The archive hears of each deletion of a post of an hour or more. So it has nothing
	 * of younger ones.
	 */
	static final Duration AGE = ArchiveProperties.YOUNGEST.multipliedBy(2);

	private static final Duration EVERY = Duration.ofSeconds(30);

	private static final int BATCH = 500;

	private static final int CONCURRENCY = 64;

	private final MovablePosts posts;

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final PostIndexRepository index;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	/** Whether nothing is left from before there was such an archive. */
	private volatile boolean caughtUp;

	PostIndexer(MovablePosts posts, ArchiveDatabase database, ArchivedPostRepository archive, PostIndexRepository index,
			ReactiveStringRedisTemplate redis, DataClock clock) {
		super(EVERY);
		this.posts = posts;
		this.database = database;
		this.archive = archive;
		this.index = index;
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
		return this.database.isOpen() ? this.clock.millis()
			.map((now) -> now - AGE.toMillis())
			.flatMap((before) -> writeNoted(before).then(catchUp(before))) : Mono.empty();
	}

	/** Writes what was noted of posts that are older than a time. */
	Mono<Void> writeNoted(long before) {
		return writeSome(before).repeat().takeUntil((written) -> written < BATCH).then();
	}

	/** ZRANGEBYSCORE, {@link #write}, ZREM. */
	private Mono<Integer> writeSome(long before) {
		return this.redis.opsForZSet()
			.rangeByScoreWithScores(Keys.ARCHIVE_UNINDEXED, Range.closed(0.0, (double) before),
					Limit.limit().count(BATCH))
			.collectList()
			.map((noted) -> noted.stream().map(PostIndexer::place).toList())
			.filter((noted) -> !noted.isEmpty())
			.delayUntil(this::write)
			.delayUntil((noted) -> this.redis.opsForZSet()
				.remove(Keys.ARCHIVE_UNINDEXED, noted.stream().map(Cursor::member).toArray()))
			.map(List::size)
			.defaultIfEmpty(0);
	}

	private static Cursor place(TypedTuple<String> noted) {
		return new Cursor(Objects.requireNonNull(noted.getScore()).longValue(),
				Objects.requireNonNull(noted.getValue()));
	}

	/** Writes what was never noted of posts that are older than a time, once. */
	Mono<Void> catchUp(long before) {
		return Mono.just(this.caughtUp)
			.flatMap((done) -> done ? Mono.just(true) : this.index.isComplete())
			.doOnNext((done) -> this.caughtUp = done)
			.filter((done) -> !done)
			.flatMap((missing) -> this.posts.listed()
				.filter((place) -> place.score() <= before)
				.buffer(BATCH)
				.concatMap(this::write, 1)
				.thenMany(moved(""))
				.concatMap(this::writeMoved, 1)
				.then(this.index.setComplete()));
	}

	private Mono<Void> write(List<Cursor> places) {
		return inTime((deadline) -> Flux.fromIterable(places)
			.flatMapSequential(this::read)
			.collectList()
			.flatMap((found) -> this.index.save(found, deadline)));
	}

	/** HGET. A deleted post has no text, and a moved one is not in Redis. */
	private Mono<ArchivedPost> read(Cursor place) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.post(place.member()), "body")
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty())
			.map((body) -> new ArchivedPost(place.member(), place.score(), false, Map.of("body", body)));
	}

	private Flux<List<ArchivedPost>> moved(String after) {
		return this.archive.all(after, BATCH)
			.expand((page) -> (page.size() < BATCH) ? Mono.empty()
					: this.archive.all(page.get(page.size() - 1).id(), BATCH));
	}

	/** HEXISTS of each: the archive may just be deleting what Redis calls deleted. */
	private Mono<Void> writeMoved(List<ArchivedPost> page) {
		return inTime((deadline) -> Flux.fromIterable(page)
			.filterWhen((post) -> this.redis.opsForHash()
				.hasKey(Keys.post(post.id()), "deleted")
				.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.just(false))
				.map((deleted) -> !deleted), CONCURRENCY)
			.collectList()
			.flatMap((kept) -> this.index.saveTags(kept, deadline)));
	}

	/**
	 * Work that reads posts, and writes until a time by the archive's clock. Fails when
	 * it comes too late: a post may be deleted meanwhile, and {@link ArchiveReconciler}
	 * waits only so long.
	 */
	private Mono<Void> inTime(Function<Long, Mono<Void>> work) {
		return this.database.clock()
			.map((now) -> now + ArchiveMover.FRESH.toMillis())
			.flatMap((deadline) -> work.apply(deadline).then(this.database.clock()).filter((now) -> now < deadline))
			.switchIfEmpty(Mono.error(() -> new ArchiveAwayException("The archive was too slow to index posts")))
			.then();
	}

}
