package live.retwis.archive;

import java.util.ConcurrentModificationException;
import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/** How many posts of an author are in the archive, as the list in Redis says it. */
@Component
class ArchivedPostCounter {

	private static final Logger log = LoggerFactory.getLogger(ArchivedPostCounter.class);

	/** How often a number that changes meanwhile is read again. */
	private static final int TRIES = 10;

	private static final LuaScript SET_SIZE = LuaScript.named("set-archived-size");

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final ReactiveStringRedisTemplate redis;

	ArchivedPostCounter(ArchiveDatabase database, ArchivedPostRepository archive, ReactiveStringRedisTemplate redis) {
		this.database = database;
		this.archive = archive;
		this.redis = redis;
	}

	/**
	 * Counts the posts, and stores their number. When the database answers, but cannot
	 * count them in time, only this number stays wrong.
	 */
	Mono<Void> count(String author) {
		return countOnce(author).onErrorResume(ArchiveDatabase::isTooSlow,
				(slow) -> this.database.clock()
					.doOnNext((there) -> log.error(
							"The archived posts of author {} cannot be counted in time. "
									+ "The number of posts on the profile stays wrong until doctor --fix runs",
							author, slow))
					.then());
	}

	/**
	 * Stores in the list of an author's posts how many are archived. A post that is just
	 * being moved is in the archive and still in the list, which counts it. When it
	 * leaves the list, the number there changes, so this is repeated.
	 */
	private Mono<Void> countOnce(String author) {
		String key = Keys.postsOf(author);
		return this.redis.opsForZSet()
			.score(key, ArchiveMarkers.COUNT)
			.flatMap((before) -> this.redis.opsForZSet()
				.range(key, Range.unbounded())
				.collectList()
				.flatMap((listed) -> this.archive.count(author, listed))
				.flatMap((archived) -> SET_SIZE.run(this.redis, List.of(key), Long.toString(before.longValue()),
						Long.toString(archived))))
			.filter((answer) -> answer.get(0).equals("0"))
			.flatMap((changed) -> Mono
				.<Void>error(() -> new ConcurrentModificationException(key + " has changed meanwhile")))
			.retryWhen(Retry.max(TRIES)
				.filter(ConcurrentModificationException.class::isInstance)
				.onRetryExhaustedThrow((tries, last) -> last.failure()));
	}

}
