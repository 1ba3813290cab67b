package live.retwis.archive;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The interface to the archive's index of tags and words. A post is indexed before it
 * moves: {@link ArchiveSearchIndexer} writes what is noted here.
 */
@Component
public class ArchiveSearchIndex {

	/** After all posts. */
	private static final Cursor END = new Cursor(Long.MAX_VALUE, "");

	private final PostArchive archive;

	private final ArchiveSearchIndexRepository index;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	ArchiveSearchIndex(PostArchive archive, ArchiveSearchIndexRepository index, ReactiveStringRedisTemplate redis,
			DataClock clock) {
		this.archive = archive;
		this.index = index;
		this.redis = redis;
		this.clock = clock;
	}

	/** Whether there is an archive. */
	public boolean isUsed() {
		return this.archive.isUsed();
	}

	/** ZADD: notes a new post. It is written when it is older. */
	public Mono<Void> add(String postId, long committed) {
		return ifThereIsOne(() -> this.redis.opsForZSet().add(Keys.ARCHIVE_UNINDEXED, postId, committed));
	}

	/** ZADD: notes that Redis has not all posts of a tag. */
	public Mono<Void> hasMoreOf(String tag) {
		return ifThereIsOne(
				() -> this.clock.millis().flatMap((now) -> this.redis.opsForZSet().add(Keys.ARCHIVE_TAGS, tag, now)));
	}

	/** What is noted for the archive, also here where no setting names it. */
	private Mono<Void> ifThereIsOne(Supplier<Mono<Boolean>> note) {
		return this.archive.existedLately().filter(Boolean::booleanValue).flatMap((there) -> note.get()).then();
	}

	/** ZSCORE: whether {@link #hasMoreOf} was ever called with the tag. */
	public Mono<Boolean> isMoreOf(String tag) {
		return this.redis.opsForZSet().score(Keys.ARCHIVE_TAGS, tag).hasElement();
	}

	/**
	 * ZSCORE, and then the latest posts that have a tag, before a place, newest first.
	 * None if Redis has all of them. While the archive is away, there are none on the
	 * first page, and older pages fail. It is also away where no setting names it.
	 */
	public Mono<List<Cursor>> tagged(String tag, Optional<Cursor> before, int count) {
		return isMoreOf(tag).filter(Boolean::booleanValue)
			.flatMap((more) -> this.archive.isUsed() ? this.index.tagged(tag, before.orElse(END), count)
					: Mono.error(PostArchive::unnamed))
			.defaultIfEmpty(List.of())
			.onErrorResume((error) -> error instanceof ArchiveAwayException && before.isEmpty(),
					(away) -> OlderPostsAbsence.without(List.of()));
	}

}
