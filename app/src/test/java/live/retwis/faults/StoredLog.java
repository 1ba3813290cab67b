package live.retwis.faults;

import java.util.List;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;

/**
 * The commit log, read directly from Redis.
 */
@FunctionalInterface
interface StoredLog {

	/** The test's own connection to the node that has the log now. */
	RedisClusterCommands<String, String> commands();

	/** The log from the entry on, including it. */
	default List<LogEntry> log(String entryId) {
		return commands().xrange(Keys.LOG, Range.from(Range.Boundary.including(entryId), Range.Boundary.unbounded()))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.toList();
	}

	/** The newest entry. */
	default LogEntry head() {
		return commands().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.findFirst()
			.orElseThrow();
	}

}
