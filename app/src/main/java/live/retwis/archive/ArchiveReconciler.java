package live.retwis.archive;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.background.PeriodicTask;
import live.retwis.redis.ConvergingWrite;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
class ArchiveReconciler extends PeriodicTask {

	/** After this time what has failed is tried again. */
	static final Duration AGAIN = Duration.ofHours(1);

	private static final Logger log = LoggerFactory.getLogger(ArchiveReconciler.class);

	private static final Duration EVERY = Duration.ofSeconds(30);

	/**
	 * Posts deleted before that are deleted in the archive. A mover may have read one
	 * just before it was deleted, and write it a minute and a half later at most.
	 */
	private static final Duration AGE = Duration.ofMinutes(2);

	/** How long a deleted post is still known as deleted, as for all other posts. */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	private static final int BATCH = 500;

	private static final int CONCURRENCY = 16;

	private static final LuaScript FORGET = LuaScript.named("forget-archived");

	private static final LuaScript REMOVE_EXACTLY = LuaScript.named("remove-exactly");

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final ArchivedPostCounter counter;

	private final LikesAndRepliesArchive lists;

	private final ArchivedCountsListener listener;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	/** What was noted and not yet done, when it was last counted. */
	private final AtomicLong waiting = new AtomicLong();

	ArchiveReconciler(ArchiveDatabase database, ArchivedPostRepository archive, ArchivedPostCounter counter,
			LikesAndRepliesArchive lists, ArchivedCountsListener listener, ReactiveStringRedisTemplate redis,
			DataClock clock, MeterRegistry meters) {
		super(EVERY);
		this.database = database;
		this.archive = archive;
		this.counter = counter;
		this.lists = lists;
		this.listener = listener;
		this.redis = redis;
		this.clock = clock;
		Gauge.builder("retwis.archive.waiting", this.waiting, AtomicLong::get)
			.description(
					"Posts and accounts that are to be deleted, counted again or found by their tags in the archive")
			.register(meters);
	}

	@Override
	public void start() {
		if (this.database.isUsed()) {
			super.start();
		}
	}

	/** A key of another type, which the doctor names, stops the counting alone. */
	@Override
	protected Mono<Void> run() {
		return countWaiting().onErrorComplete(RedisErrorClassifier::isWrongType)
			.then(Mono.defer(() -> this.database.isOpen()
					? this.clock.millis().flatMap((now) -> sweep(now - AGE.toMillis())) : Mono.empty()));
	}

	/** ZCARD of each, and ZCOUNT of the posts that should have their tags and words. */
	private Mono<Void> countWaiting() {
		return Flux.just(Keys.ARCHIVE_DELETED, Keys.ARCHIVE_CLOSED, Keys.ARCHIVE_COUNTS)
			.concatMap(this.redis.opsForZSet()::size)
			.concatWith(this.clock.millis()
				.flatMap((now) -> this.redis.opsForZSet()
					.count(Keys.ARCHIVE_UNINDEXED,
							Range.closed(0.0, (double) now - ArchiveSearchIndexer.AGE.toMillis()))))
			.reduce(0L, Long::sum)
			.doOnNext(this.waiting::set)
			.then();
	}

	/**
	 * Deletes what was noted before a time, and counts again what was noted until now.
	 * @param before ms, {@link #AGE} ago
	 */
	Mono<Void> sweep(long before) {
		return deleteAll(before).then(some(Keys.ARCHIVE_COUNTS, (double) before + AGE.toMillis()))
			.flatMapIterable(Function.identity())
			.concatMap(this::count)
			.then();
	}

	/**
	 * Deletes batch after batch: an account that is deleted leaves a note for each of its
	 * posts. If the first post of a batch stays noted, the rest waits for the next time.
	 */
	private Mono<Void> deleteAll(long before) {
		return some(Keys.ARCHIVE_DELETED, before).delayUntil(this::deleteEach)
			.expand((done) -> (done.size() < BATCH) ? Mono.empty()
					: some(Keys.ARCHIVE_DELETED, before).filter((next) -> !next.get(0).equals(done.get(0)))
						.delayUntil(this::deleteEach))
			.then();
	}

	/** ZRANGEBYSCORE: the ids of posts, each with the time that is noted of it. */
	private Mono<List<Cursor>> some(String key, double before) {
		return this.redis.opsForZSet()
			.rangeByScoreWithScores(key, Range.closed(0.0, before), Limit.limit().count(BATCH))
			.map((noted) -> new Cursor(Objects.requireNonNull(noted.getScore()).longValue(),
					Objects.requireNonNull(noted.getValue())))
			.collectList()
			.filter((some) -> !some.isEmpty());
	}

	/** Deletes posts. When that fails, each alone. */
	private Mono<Void> deleteEach(List<Cursor> noted) {
		return delete(noted).onErrorResume(ArchiveReconciler::isLasting,
				(error) -> (noted.size() == 1) ? stays(Keys.ARCHIVE_DELETED, noted.get(0).member(), error)
						: Flux.fromIterable(noted).concatMap((one) -> deleteEach(List.of(one))).then());
	}

	private static boolean isLasting(Throwable error) {
		return !RedisErrorClassifier.isAway(error);
	}

	/**
	 * ZADD: what has failed stays noted, and holds up nothing else. What only changed
	 * meanwhile is done next time.
	 */
	private Mono<Void> stays(String key, String id, Throwable error) {
		if (error instanceof ConcurrentModificationException) {
			return Mono.empty();
		}
		log.error("Post {} of {} cannot be deleted or counted in the archive. It is tried again in an hour", id, key,
				error);
		return this.clock.millis()
			.flatMap((now) -> this.redis.opsForZSet().add(key, id, now + AGAIN.toMillis()))
			.then();
	}

	/**
	 * Deletes posts, and then counts the archived posts of their authors again. If the
	 * process dies in between, the next run still learns the authors from the deleted
	 * posts in Redis. A post that is noted again meanwhile, with another time, stays
	 * noted.
	 */
	private Mono<Void> delete(List<Cursor> noted) {
		List<String> ids = noted.stream().map(Cursor::member).toList();
		return Mono.zip(authors(ids), this.archive.readBack(ids), (authors, found) -> {
			Set<String> all = new HashSet<>(authors);
			found.values().forEach((post) -> all.add(post.author()));
			return all;
		})
			.delayUntil((authors) -> this.lists.forget(ids).then(this.archive.remove(ids)))
			.flatMapIterable(Function.identity())
			.concatMap(this.counter::count)
			.thenMany(Flux.fromIterable(noted))
			.flatMap((post) -> FORGET
				.run(this.redis, List.of(Keys.post(post.member())), Long.toString(REMEMBERED.toSeconds()))
				.then(forgetNote(Keys.ARCHIVE_DELETED, post)), CONCURRENCY)
			.then();
	}

	private Mono<Void> forgetNote(String key, Cursor noted) {
		return REMOVE_EXACTLY.run(this.redis, List.of(key), noted.member(), Long.toString(noted.score())).then();
	}

	/** HGET of each. A key that holds something else has no author. */
	private Mono<Set<String>> authors(List<String> ids) {
		return Flux.fromIterable(ids)
			.flatMap((id) -> this.redis.<String, String>opsForHash()
				.get(Keys.post(id), "author")
				.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty()), CONCURRENCY)
			.collect(Collectors.toSet());
	}

	/**
	 * A post that changes meanwhile is noted again, with another score. It stays noted
	 * until its counts are told.
	 */
	private Mono<Void> count(Cursor noted) {
		String id = noted.member();
		return reconcile(id, "replies", size(Keys.replies(id))).then(reconcile(id, "likes", size(Keys.likes(id))))
			.then(reconcile(id, "reposts", this.redis.opsForHash().size(Keys.reposts(id))))
			.then(this.listener.counted(id, this.archive.readBack(List.of(id)).mapNotNull((found) -> found.get(id))))
			.filter(Boolean::booleanValue)
			.flatMap((told) -> forgetNote(Keys.ARCHIVE_COUNTS, noted))
			.onErrorResume(ArchiveReconciler::isLasting, (error) -> stays(Keys.ARCHIVE_COUNTS, id, error));
	}

	private Mono<Long> size(String list) {
		return this.lists.bringBack(list).then(this.redis.opsForZSet().size(list));
	}

	private Mono<Void> reconcile(String id, String field, Mono<Long> current) {
		return ConvergingWrite.of(current, (count) -> this.archive.setCount(id, field, count));
	}

}
