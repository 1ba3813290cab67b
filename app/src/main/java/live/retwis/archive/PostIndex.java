package live.retwis.archive;

import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * By what posts are found in the archive, also before they move there, as the rest of the
 * site sees it. {@link PostIndexer} writes what is noted here.
 */
@Component
public class PostIndex {

	/** After all posts. */
	private static final Cursor END = new Cursor(Long.MAX_VALUE, "");

	private final ArchiveDatabase database;

	private final PostIndexRepository index;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	PostIndex(ArchiveDatabase database, PostIndexRepository index, ReactiveStringRedisTemplate redis, DataClock clock) {
		this.database = database;
		this.index = index;
		this.redis = redis;
		this.clock = clock;
	}

	/** ZADD: notes a new post. It is written when it is older. */
	public Mono<Void> add(String postId, long committed) {
		return this.database.isUsed() ? this.redis.opsForZSet().add(Keys.ARCHIVE_UNINDEXED, postId, committed).then()
				: Mono.empty();
	}

	/** ZADD: notes that Redis has not all posts of a tag. */
	public Mono<Void> hasMoreOf(String tag) {
		return this.database.isUsed()
				? this.clock.millis().flatMap((now) -> this.redis.opsForZSet().add(Keys.ARCHIVE_TAGS, tag, now)).then()
				: Mono.empty();
	}

	/**
	 * ZSCORE, and then the latest posts that have a tag, before a place, newest first.
	 * None if Redis has all of them. While the archive is away, there are none on the
	 * first page, and older pages fail.
	 */
	public Mono<List<Cursor>> tagged(String tag, Optional<Cursor> before, int count) {
		return !this.database.isUsed() ? Mono.just(List.of())
				: this.redis.opsForZSet()
					.score(Keys.ARCHIVE_TAGS, tag)
					.flatMap((noted) -> this.index.tagged(tag, before.orElse(END), count))
					.defaultIfEmpty(List.of())
					.onErrorResume((error) -> error instanceof ArchiveAwayException && before.isEmpty(),
							(away) -> OlderPostsAbsence.without(List.of()));
	}

}
