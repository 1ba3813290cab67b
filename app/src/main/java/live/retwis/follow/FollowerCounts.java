package live.retwis.follow;

import java.time.Duration;
import java.util.List;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.BulkCacheReads;
import live.retwis.redis.CommandRecorderContext;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * How many followers users have, for lists of users. The numbers are cached, because a
 * list shows many. The log announces follows. It does not announce that followers have
 * deleted their accounts, so a number is cached for a minute at most.
 */
@Component
class FollowerCounts implements CommitLogListener {

	/** Most numbers in the cache, about 100 bytes each. */
	private static final int CACHED = 50_000;

	private static final Duration KEPT = Duration.ofMinutes(1);

	private final AsyncLoadingCache<String, Long> counts;

	FollowerCounts(FollowerListRepository followers) {
		this.counts = Caffeine.newBuilder()
			.maximumSize(CACHED)
			.expireAfterWrite(KEPT)
			.buildAsync((userId, executor) -> CommandRecorderContext.toFuture(followers.count(userId)));
	}

	/**
	 * The numbers in the order of the ids: {@link FollowerListRepository#count} of each
	 * unknown.
	 */
	Mono<List<Long>> of(List<String> userIds) {
		return BulkCacheReads.all(this.counts, userIds);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case FOLLOW, UNFOLLOW -> this.counts.synchronous().invalidate(entry.other());
			default -> {
			}
		}
	}

	@Override
	public void reset() {
		this.counts.synchronous().invalidateAll();
	}

}
