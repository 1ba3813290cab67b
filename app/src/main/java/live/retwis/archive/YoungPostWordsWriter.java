package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
 * Writes the words of posts into the archive long before the posts move there. Redis has
 * the lists of words of some days only, so the search would not find such a post in
 * between. New posts are noted in Redis. Those from before there was an archive are not,
 * so all posts are gone through once. Any instance does it, and it can be repeated.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class YoungPostWordsWriter extends PeriodicTask {

	/**
	 * The archive hears of each deletion of a post of an hour or more. So it has nothing
	 * of younger ones.
	 */
	static final Duration AGE = ArchiveProperties.YOUNGEST.multipliedBy(2);

	private static final Duration EVERY = Duration.ofSeconds(30);

	private static final int BATCH = 500;

	private final MovablePosts posts;

	private final ArchiveDatabase database;

	private final YoungPostWordsRepository words;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	/** Whether nothing is left from before there was an archive. */
	private volatile boolean caughtUp;

	YoungPostWordsWriter(MovablePosts posts, ArchiveDatabase database, YoungPostWordsRepository words,
			ReactiveStringRedisTemplate redis, DataClock clock) {
		super(EVERY);
		this.posts = posts;
		this.database = database;
		this.words = words;
		this.redis = redis;
		this.clock = clock;
	}

	@Override
	public void start() {
		if (this.database.hasWords()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return this.database.isOpen() ? this.clock.millis()
			.map((now) -> now - AGE.toMillis())
			.flatMap((before) -> writeAll(before).then(catchUp(before))) : Mono.empty();
	}

	/** Writes the words of all posts that are older than a time, if nobody ever did. */
	Mono<Void> catchUp(long before) {
		return Mono.just(this.caughtUp)
			.flatMap((done) -> done ? Mono.just(true) : this.words.isComplete())
			.doOnNext((done) -> this.caughtUp = done)
			.filter((done) -> !done)
			.flatMap((missing) -> this.posts.listed()
				.filter((place) -> place.score() <= before)
				.buffer(BATCH)
				.concatMap(this::write, 1)
				.then(this.words.setComplete()));
	}

	/** Writes the words of all posts that were noted and are older than a time. */
	Mono<Void> writeAll(long before) {
		return writeSome(before).repeat().takeUntil((written) -> written < BATCH).then();
	}

	/** ZRANGEBYSCORE, {@link #write}, ZREM. */
	private Mono<Integer> writeSome(long before) {
		return this.redis.opsForZSet()
			.rangeByScoreWithScores(Keys.ARCHIVE_WORDS, Range.closed(0.0, (double) before), Limit.limit().count(BATCH))
			.collectList()
			.map((noted) -> noted.stream().map(YoungPostWordsWriter::place).toList())
			.filter((noted) -> !noted.isEmpty())
			.delayUntil(this::write)
			.delayUntil((noted) -> this.redis.opsForZSet()
				.remove(Keys.ARCHIVE_WORDS, noted.stream().map(Cursor::member).toArray()))
			.map(List::size)
			.defaultIfEmpty(0);
	}

	private static Cursor place(TypedTuple<String> noted) {
		return new Cursor(Objects.requireNonNull(noted.getScore()).longValue(),
				Objects.requireNonNull(noted.getValue()));
	}

	/**
	 * Fails when it comes too late: a post may be deleted meanwhile, and
	 * {@link ArchiveReconciler} waits only so long.
	 */
	private Mono<Void> write(List<Cursor> places) {
		return this.database.clock()
			.flatMap((now) -> Flux.fromIterable(places)
				.flatMapSequential(this::read)
				.collectList()
				.flatMap((posts) -> this.words.save(posts, now + ArchiveMover.FRESH.toMillis())
					.filter((saved) -> saved == posts.size())))
			.switchIfEmpty(
					Mono.error(() -> new ArchiveAwayException("The archive was too slow to take words of posts")))
			.then();
	}

	/** HGET. A deleted post has no text, and a moved one is not in Redis. */
	private Mono<ArchivedPost> read(Cursor place) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.post(place.member()), "body")
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty())
			.map((body) -> new ArchivedPost(place.member(), place.score(), false, Map.of("body", body)))
			.filter((post) -> !ArchivedPostsInsert.words(post).isEmpty());
	}

}
