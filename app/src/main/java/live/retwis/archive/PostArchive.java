package live.retwis.archive;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The posts in the archive, as the rest of the site sees them. Redis decides: a post that
 * Redis has, or that it calls deleted, is not asked for here. What has to change in the
 * archive while it is away is noted in Redis, and {@link ArchiveReconciler} does it
 * later.
 */
@Component
public class PostArchive {

	/** How long a request waits for others, so that one statement serves all of them. */
	private static final Duration GATHERED_FOR = Duration.ofMillis(4);

	/** How long it is taken for granted that there is no archive. */
	private static final Duration NONE_FOR = Duration.ofSeconds(10);

	/** Most posts of one statement. */
	private static final int MOST = 500;

	/** After all posts. */
	private static final Cursor END = new Cursor(Long.MAX_VALUE, "");

	private final ArchiveDatabase database;

	private final ArchivedPostRepository posts;

	private final SharedArchivedPostCache cache;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	/** When {@link #exists} is asked again, by {@link System#nanoTime()}. */
	private volatile long askedAgain = System.nanoTime();

	private final Gathering cached;

	private final Gathering uncached;

	PostArchive(ArchiveDatabase database, ArchivedPostRepository posts, SharedArchivedPostCache cache,
			ReactiveStringRedisTemplate redis, DataClock clock) {
		this.database = database;
		this.posts = posts;
		this.cache = cache;
		this.cached = new Gathering(posts::findCached);
		this.uncached = new Gathering(posts::findAll);
		this.redis = redis;
		this.clock = clock;
	}

	/** Whether there is an archive. */
	public boolean isUsed() {
		return this.database.isUsed();
	}

	/** Whether the archive finds posts by their words. */
	public boolean hasWords() {
		return this.database.hasWords();
	}

	/** EXISTS: whether old posts are in an archive that no setting names. */
	public Mono<Boolean> isUnnamed() {
		return isUsed() ? Mono.just(false) : this.redis.hasKey(Keys.ARCHIVE_SITE);
	}

	/** GET and SET: nothing more is to be restored from the archive. */
	public Mono<Void> restored() {
		return this.redis.opsForValue()
			.get(Keys.ARCHIVE_SITE)
			.filter((site) -> site.startsWith(ArchiveOpener.RESTORING))
			.flatMap((site) -> this.redis.opsForValue()
				.set(Keys.ARCHIVE_SITE, site.substring(ArchiveOpener.RESTORING.length())))
			.then();
	}

	/**
	 * EXISTS, unless this instance uses it: whether there is an archive, even if no
	 * setting names it.
	 */
	public Mono<Boolean> exists() {
		return isUsed() ? Mono.just(true) : isUnnamed();
	}

	/**
	 * The same; that there is none is taken for granted for a while, so that it costs
	 * nothing. The lists of a post stay in Redis for longer after it has moved, and
	 * {@link ArchiveSearchIndexer} finds posts that were not noted.
	 */
	Mono<Boolean> existedLately() {
		return Mono.defer(() -> (System.nanoTime() - this.askedAgain < 0) ? Mono.just(false)
				: exists().doOnNext((there) -> this.askedAgain = System.nanoTime() + (there ? 0 : NONE_FOR.toNanos())));
	}

	/**
	 * A post that Redis does not have; empty when the archive has none. All requests of a
	 * moment share one statement, and what it finds is kept in Redis for a while. Fails
	 * with {@link ArchiveAwayException}, also when no setting names the archive. Else
	 * such an instance would take archived posts for deleted ones, and clear away what is
	 * about them.
	 */
	public Mono<ArchivedPost> find(String id) {
		return findAll(Set.of(id)).flatMap((found) -> Mono.justOrEmpty(found.get(id)));
	}

	/** The same for several posts, by id. Posts of other requests may be among them. */
	public Mono<Map<String, ArchivedPost>> findAll(Set<String> ids) {
		return isUsed() ? this.cached.find(ids)
				: isUnnamed().flatMap((unnamed) -> unnamed ? Mono.error(unnamed()) : Mono.just(Map.of()));
	}

	static ArchiveAwayException unnamed() {
		return new ArchiveAwayException("Set retwis.archive.url as on the other instances");
	}

	/** The same, but always of the archive itself. */
	public Mono<ArchivedPost> findUncached(String id) {
		return isUsed() ? this.uncached.find(Set.of(id)).flatMap((found) -> Mono.justOrEmpty(found.get(id)))
				: Mono.empty();
	}

	/**
	 * The latest archived posts that have all of the words, before a place, newest first.
	 * While the archive is away, there are none on the first page, and older pages fail.
	 */
	public Mono<List<Cursor>> search(List<String> words, Optional<Cursor> before, int count) {
		return (!isUsed() || words.isEmpty()) ? Mono.just(List.of())
				: this.posts.search(words, before.orElse(END), count)
					.onErrorResume(ArchiveAwayException.class,
							(away) -> before.isEmpty() ? OlderPostsAbsence.without(List.of(), away) : Mono.error(away));
	}

	/**
	 * Stores one count of an archived post. While the archive is away, or when no setting
	 * names it, its counts are noted to be counted again.
	 * @return the post with its counts; empty when the archive has no such post, or is
	 * away
	 */
	public Mono<ArchivedPost> setCount(String id, String field, long count) {
		return isUsed()
				? this.posts.setCount(id, field, count)
					.then(this.posts.findAll(Set.of(id)))
					.flatMap((found) -> Mono.justOrEmpty(found.get(id)))
					.onErrorResume(ArchiveAwayException.class, (away) -> countLater(id).then(Mono.empty()))
				: isUnnamed().filter(Boolean::booleanValue).flatMap((unnamed) -> countLater(id)).then(Mono.empty());
	}

	/** ZADD: the counts of the post are counted again when the archive is back. */
	public Mono<Void> countLater(String id) {
		return note(Keys.ARCHIVE_COUNTS, id);
	}

	/** ZADD: the archive has to delete the post. What was fetched of it is forgotten. */
	public Mono<Void> deleted(String id) {
		return note(Keys.ARCHIVE_DELETED, id).then(this.cache.forget(Set.of(id)));
	}

	/** ZADD: the archive has to delete all posts of the user. */
	public Mono<Void> closed(String userId) {
		return note(Keys.ARCHIVE_CLOSED, userId);
	}

	/** ZADD: the same, but because that has failed, it is tried again after a while. */
	public Mono<Void> stillClosed(String userId) {
		return note(Keys.ARCHIVE_CLOSED, userId, ArchiveReconciler.AGAIN);
	}

	/** ZRANGEBYSCORE: some of the users whose posts the archive has to delete now. */
	public Mono<List<String>> someClosed() {
		return !this.database.isOpen() ? Mono.just(List.of()) : this.clock.millis().flatMap(this::closedBefore);
	}

	/**
	 * ZRANGEBYSCORE: some of these users who were noted before a time, also while the
	 * archive is away.
	 * @param before ms of the data node's clock
	 */
	public Mono<List<String>> closedBefore(long before) {
		return this.redis.opsForZSet()
			.rangeByScore(Keys.ARCHIVE_CLOSED, Range.closed(0.0, (double) before), Limit.limit().count(MOST))
			.collectList();
	}

	/** ZREM: the archive has no posts of the user any more. */
	public Mono<Void> forgetClosed(String userId) {
		return this.redis.opsForZSet().remove(Keys.ARCHIVE_CLOSED, userId).then();
	}

	private Mono<Void> note(String key, String member) {
		return note(key, member, Duration.ZERO);
	}

	private Mono<Void> note(String key, String member, Duration later) {
		return this.clock.millis()
			.flatMap((now) -> this.redis.opsForZSet().add(key, member, now + later.toMillis()))
			.then();
	}

	/** Reads posts in batches: those that are asked for at the same time. */
	private static final class Gathering {

		private final Function<Collection<String>, Mono<Map<String, ArchivedPost>>> source;

		private final AtomicReference<@Nullable Batch> current = new AtomicReference<>();

		Gathering(Function<Collection<String>, Mono<Map<String, ArchivedPost>>> source) {
			this.source = source;
		}

		Mono<Map<String, ArchivedPost>> find(Set<String> ids) {
			return ids.isEmpty() ? Mono.just(Map.of()) : PageTimeLimit.within(Mono.defer(() -> batchWith(ids).found));
		}

		private Batch batchWith(Set<String> ids) {
			while (true) {
				Batch batch = this.current.get();
				if (batch == null) {
					this.current.compareAndSet(null, new Batch());
				}
				else if (batch.add(ids)) {
					return batch;
				}
				else {
					this.current.compareAndSet(batch, null);
				}
			}
		}

		/** Posts that are asked for at the same time. */
		private final class Batch {

			private final Set<String> ids = new HashSet<>();

			private boolean closed;

			private final Mono<Map<String, ArchivedPost>> found = Mono.delay(GATHERED_FOR)
				.then(Mono.defer(() -> Gathering.this.source.apply(close())))
				.contextWrite((ofFirstPage) -> Context.empty())
				.cache();

			synchronized boolean add(Set<String> more) {
				boolean room = !this.closed
						&& (this.ids.isEmpty() || this.ids.size() + more.size() <= MOST || this.ids.containsAll(more));
				if (room) {
					this.ids.addAll(more);
				}
				return room;
			}

			private synchronized Set<String> close() {
				this.closed = true;
				Gathering.this.current.compareAndSet(this, null);
				return this.ids;
			}

		}

	}

}
