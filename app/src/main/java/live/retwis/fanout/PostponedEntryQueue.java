package live.retwis.fanout;

import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code {live}:postponed}: log entries that need a node that is away. Here they hold up
 * neither the log nor the tasks. Entries that are done are removed. What waits here
 * counts as waiting for fan-out, so {@code retwis.log.max-backlog} bounds it.
 */
@Repository
class PostponedEntryQueue extends StreamQueue<PostponedEntry> {

	/** Entries taken at once. Each may wait for its node for some seconds. */
	private static final int BATCH = 16;

	PostponedEntryQueue(ReactiveStringRedisTemplate redis) {
		super(new ConsumerGroup(redis, BATCH, Keys.POSTPONED, Keys.POSTPONED_BY_COMMIT),
				(postponed) -> new PostponedEntry(postponed.getId().getValue(),
						LogEntry.of(postponed.getValue().getOrDefault("entry", "0-0"), postponed.getValue())));
	}

	@Override
	public String id(PostponedEntry postponed) {
		return postponed.id();
	}

}
