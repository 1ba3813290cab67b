package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.background.PeriodicTask;
import live.retwis.redis.Cursor;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/**
 * Writes the tags and words of posts into the archive long before the posts move there.
 * Redis has only the newest posts of each tag, and the words of some days, so nobody
 * would find other posts in between. New posts are noted in Redis. All posts are gone
 * through when some may not have been noted: at first, a day later, because instances of
 * an older release may have worked meanwhile, and after too many notes. One instance at a
 * time does it, and all of it can be repeated.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class ArchiveSearchIndexer extends PeriodicTask {

	/**
	 * The archive hears of each deletion of a post of an hour or more. So it has nothing
	 * of younger ones.
	 */
	static final Duration AGE = ArchiveProperties.YOUNGEST.multipliedBy(2);

	/** With more notes all of them are dropped. About 50 MB in Redis. */
	static final int MOST_NOTED = 500_000;

	/** An upgrade takes less, one instance after the other. */
	private static final Duration AGAIN = Duration.ofDays(1);

	/** How the log names {@link Keys#ARCHIVE_UNINDEXED}. */
	private static final String NOTES = "The notes of posts whose tags and words the archive lacks";

	/** It is due, and a day later all posts are gone through once more. */
	private static final String FIRST_PASS = "0";

	private static final Logger log = LoggerFactory.getLogger(ArchiveSearchIndexer.class);

	private static final Duration EVERY = Duration.ofSeconds(30);

	private static final Duration PAUSE = Duration.ofMinutes(10);

	private static final int BATCH = 500;

	/**
	 * Tags between two signs of life. Each costs a statement, and some databases are
	 * slow.
	 */
	private static final int TAGS_AT_ONCE = 50;

	/** Posts of a tag that are counted: Redis has fewer of any. */
	private static final int COUNTED = 1_001;

	private static final long DROPPED_AT_ONCE = 5_000;

	private static final int CONCURRENCY = 64;

	private final ArchiveTurn turn;

	private final MovablePosts posts;

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final ArchiveSearchIndexRepository index;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	private final DamagedKeyReporter damaged;

	/** By {@link System#nanoTime()}; until then all posts are not gone through. */
	private volatile long pausedUntil = System.nanoTime();

	ArchiveSearchIndexer(ArchiveTurn turn, MovablePosts posts, ArchiveDatabase database, ArchivedPostRepository archive,
			ArchiveSearchIndexRepository index, ReactiveStringRedisTemplate redis, DataClock clock,
			DamagedKeyReporter damaged) {
		super(EVERY);
		this.turn = turn;
		this.posts = posts;
		this.database = database;
		this.archive = archive;
		this.index = index;
		this.redis = redis;
		this.clock = clock;
		this.damaged = damaged;
	}

	/** Where no setting names the archive, other instances may still note posts. */
	@Override
	protected Mono<Void> run() {
		return this.clock.millis()
			.flatMap((now) -> dropNotes(now - AGE.toMillis(), MOST_NOTED).then(Mono.defer(this.turn::mayBegin))
				.filter(Boolean::booleanValue)
				.flatMap((mine) -> writeNoted(now - AGE.toMillis()).then(Mono.defer(() -> catchUpAfterPause(now)))));
	}

	/** A pass that fails begins at the first post again, but not at once. */
	private Mono<Void> catchUpAfterPause(long now) {
		return (System.nanoTime() - this.pausedUntil < 0) ? Mono.empty()
				: catchUp(now).doOnError((failed) -> this.pausedUntil = System.nanoTime() + PAUSE.toNanos());
	}

	/**
	 * ZCOUNT: if too many posts of before a time are noted, all notes go (DEL,
	 * ZREMRANGEBYRANK). Then all posts are gone through, when the archive is back.
	 */
	Mono<Void> dropNotes(long before, long most) {
		return this.damaged
			.passOver(NOTES, this.redis.opsForZSet().count(Keys.ARCHIVE_UNINDEXED, Range.closed(0.0, (double) before)))
			.filter((noted) -> noted > most)
			.doOnNext((noted) -> log.warn("{} posts wait for their tags and words in the archive. "
					+ "Later it goes through all posts instead", noted))
			.flatMap((noted) -> this.redis.delete(Keys.ARCHIVE_INDEXED))
			.flatMapMany((dropped) -> this.redis.opsForZSet()
				.removeRange(Keys.ARCHIVE_UNINDEXED, Range.closed(0L, DROPPED_AT_ONCE - 1))
				.repeat())
			.takeUntil((dropped) -> dropped < DROPPED_AT_ONCE)
			.then();
	}

	/**
	 * Writes what was noted of posts that are older than a time. While there are many, it
	 * ends when it is another instance's turn.
	 */
	Mono<Void> writeNoted(long before) {
		return writeSome(before).flatMap((written) -> (written < BATCH) ? Mono.just(false) : this.turn.isMine())
			.repeat()
			.takeUntil((more) -> !more)
			.then();
	}

	/** ZRANGEBYSCORE, {@link #write}, ZREM. */
	private Mono<Integer> writeSome(long before) {
		return this.damaged
			.passOver(NOTES,
					this.redis.opsForZSet()
						.rangeByScoreWithScores(Keys.ARCHIVE_UNINDEXED, Range.closed(0.0, (double) before),
								Limit.limit().count(BATCH))
						.collectList())
			.map((noted) -> noted.stream().map(ArchiveSearchIndexer::place).toList())
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

	/**
	 * GET: goes through all posts when it is time to, and SET. Whoever deletes the key
	 * meanwhile wants all posts to be gone through again, so then it stays away. So it is
	 * there from the beginning of the first pass on.
	 */
	Mono<Void> catchUp(long now) {
		return this.damaged
			.passOver("The time at which all posts are gone through for their tags and words", this.redis.opsForValue()
				.get(Keys.ARCHIVE_INDEXED)
				.switchIfEmpty(Mono.defer(
						() -> this.redis.opsForValue().set(Keys.ARCHIVE_INDEXED, FIRST_PASS).thenReturn(FIRST_PASS))))
			.map(ArchiveSearchIndexer::numberOrFirstPass)
			.filter((due) -> Long.parseLong(due) <= now)
			.delayUntil((due) -> goThroughAll(now - AGE.toMillis()))
			.map((due) -> due.equals(FIRST_PASS) ? now + AGAIN.toMillis() : Long.MAX_VALUE)
			.flatMap((next) -> this.redis.opsForValue().setIfPresent(Keys.ARCHIVE_INDEXED, Long.toString(next)))
			.then();
	}

	/** A first pass replaces what is no number. */
	private static String numberOrFirstPass(String due) {
		try {
			return Long.toString(Long.parseLong(due));
		}
		catch (NumberFormatException ex) {
			log.warn("{} is no number, so all posts are gone through again", Keys.ARCHIVE_INDEXED);
			return FIRST_PASS;
		}
	}

	private Mono<Void> goThroughAll(long before) {
		log.info("The tags and words of all posts are written to the archive");
		return pages(this.archive::all, ArchivedPost::id).concatMap((page) -> writeMoved(page).then(goOn()), 1)
			.thenMany(this.posts.listed().buffer(BATCH))
			.concatMap((places) -> writeOrNote(places, before).then(goOn()), 1)
			.then(Mono.defer(this::failIfRedisIsEmpty))
			.thenMany(pages(this.index::ids, Function.identity()))
			.concatMap((ids) -> removeGone(ids).then(goOn()), 1)
			.thenMany(this.index.counts(COUNTED).buffer(TAGS_AT_ONCE))
			.concatMap((tags) -> noteTags(tags).then(goOn()), 1)
			.then()
			.doOnSuccess((done) -> log.info("The archive has the tags and words of all posts"))
			.doOnError((error) -> log.warn("Not all posts have their tags and words in the archive. It is tried again",
					error));
	}

	private static <T> Flux<List<T>> pages(BiFunction<String, Integer, Mono<List<T>>> read, Function<T, String> id) {
		return read.apply("", BATCH)
			.expand((page) -> (page.size() < BATCH) ? Mono.empty() : read.apply(id.apply(last(page)), BATCH))
			.filter((page) -> !page.isEmpty());
	}

	private static <T> T last(List<T> page) {
		return page.get(page.size() - 1);
	}

	/** Writes new posts in between. Fails if it is another instance's turn. */
	private Mono<Void> goOn() {
		return this.turn.isMine()
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("another instance goes on")))
			.then(this.clock.millis())
			.flatMap((now) -> writeNoted(now - AGE.toMillis()));
	}

	/** Writes posts, and notes those that are too young. ZADD of each. */
	private Mono<Void> writeOrNote(List<Cursor> places, long before) {
		Map<Boolean, List<Cursor>> byAge = places.stream()
			.collect(Collectors.partitioningBy((place) -> place.score() <= before));
		return write(byAge.getOrDefault(true, List.of()))
			.thenMany(Flux.fromIterable(byAge.getOrDefault(false, List.of())))
			.concatMap((place) -> this.damaged.passOver(NOTES,
					this.redis.opsForZSet().add(Keys.ARCHIVE_UNINDEXED, place.member(), place.score())))
			.then();
	}

	/** EXISTS: a Redis that has lost everything tells nothing of what is gone. */
	private Mono<Void> failIfRedisIsEmpty() {
		return this.redis.hasKey(Keys.ARCHIVE_SITE)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("Redis does not know its archive any more")))
			.then();
	}

	/**
	 * Removes the tags and words of posts that neither Redis nor the archive has. An
	 * older release does not know them, so it leaves them when a post is deleted.
	 */
	private Mono<Void> removeGone(List<String> ids) {
		return Flux.fromIterable(ids)
			.filterWhen((id) -> read(new Cursor(0, id)).hasElement().map((there) -> !there), CONCURRENCY)
			.collect(Collectors.toSet())
			.filter((missing) -> !missing.isEmpty())
			.flatMap((missing) -> this.archive.readBack(missing).map((found) -> {
				missing.removeAll(found.keySet());
				return missing;
			}))
			.flatMap(this.archive::removeFromIndex);
	}

	/** ZCARD of each tag, and ZADD of those of which Redis has fewer posts. */
	private Mono<Void> noteTags(List<Map.Entry<String, Long>> counts) {
		return Flux.fromIterable(counts)
			.filterWhen((tag) -> this.damaged
				.passOver("The list of a tag", this.redis.opsForZSet().size(Keys.tag(tag.getKey())))
				.defaultIfEmpty(0L)
				.map((size) -> size < tag.getValue()), CONCURRENCY)
			.collectList()
			.zipWith(this.clock.millis())
			.flatMapMany(TupleUtils.function((more, now) -> Flux.fromIterable(more)
				.concatMap((tag) -> this.damaged.passOver("The tags that go on in the archive",
						this.redis.opsForZSet().add(Keys.ARCHIVE_TAGS, tag.getKey(), now)))))
			.then();
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
