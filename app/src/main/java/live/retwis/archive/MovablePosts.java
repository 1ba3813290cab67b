package live.retwis.archive;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.SortedSetReader;
import live.retwis.redis.TimeSortedIdGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.stereotype.Component;

/**
 * The posts in Redis that are to be moved to the archive: those that are old, and those
 * past the newest ones of their author.
 */
@Component
class MovablePosts {

	private static final Logger log = LoggerFactory.getLogger(MovablePosts.class);

	/** Keys, or posts, read at once. */
	private static final int BATCH = 500;

	private static final int CONCURRENCY = 64;

	private static final ScanOptions AUTHORS = ScanOptions.scanOptions().match(Keys.postsOf("*")).count(BATCH).build();

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	private final ArchiveProperties properties;

	private final OwnPostsProperties ownPosts;

	MovablePosts(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock,
			ArchiveProperties properties, OwnPostsProperties ownPosts) {
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
		this.properties = properties;
		this.ownPosts = ownPosts;
	}

	/**
	 * SCAN: the movable posts of all authors, of some authors at a time, and of each
	 * author the oldest first.
	 */
	Flux<Flux<MovablePost>> all() {
		return authors().buffer(BATCH).map((some) -> Flux.fromIterable(some).flatMap(this::of, CONCURRENCY));
	}

	/** SCAN: the posts of all authors, movable or not, as far as they can be read. */
	Flux<Cursor> listed() {
		return authors().flatMap((author) -> placesFrom(author, page(author, Cursor.START))
			.onErrorComplete(RedisErrorClassifier::isWrongType), CONCURRENCY);
	}

	private Flux<String> authors() {
		return this.redis.scan(AUTHORS)
			.map((key) -> key.substring(Keys.postsOf("").length()))
			.filter(TimeSortedIdGenerator::isValid);
	}

	/**
	 * The posts of an author that are to be moved, the oldest first. First it reads how
	 * many there are (ZCARD), and then the oldest ones. When the key holds something
	 * else, none.
	 */
	private Flux<MovablePost> of(String author) {
		return this.redis.opsForZSet()
			.size(Keys.postsOf(author))
			.flatMap((size) -> Mono.zip(this.clock.millis(), Mono.just(size), page(author, Cursor.START)))
			.flatMapMany(TupleUtils.function((now, size, first) -> {
				long beyond = size - this.ownPosts.ownSize() - (first.size() - ArchiveMarkers.posts(first).size());
				return placesFrom(author, Mono.just(first))
					.index((i, place) -> new MovablePost(author, place.member(), place.score(), i < beyond))
					.takeWhile((post) -> isOld(post, now));
			}))
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> {
				log.error("{} is no list of posts. No post of its author moves to the archive", Keys.postsOf(author),
						wrong);
				return Flux.empty();
			});
	}

	private Flux<Cursor> placesFrom(String author, Mono<List<Cursor>> first) {
		return first.expand((page) -> (page.size() < BATCH) ? Mono.empty() : page(author, page.get(page.size() - 1)))
			.concatMapIterable(ArchiveMarkers::posts, 1);
	}

	/** Posts past the newest ones of an author move as soon as any may. */
	private boolean isOld(MovablePost post, long now) {
		return post.committed() < now
				- (post.beyondSize() ? ArchiveProperties.YOUNGEST : this.properties.after()).toMillis();
	}

	private Mono<List<Cursor>> page(String author, Cursor after) {
		return this.sortedSets.lowest(Keys.postsOf(author), Optional.of(after), BATCH);
	}

}
