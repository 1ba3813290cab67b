package live.retwis.faults;

import java.util.List;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;

/**
 * The commit log, past the site.
 */
@FunctionalInterface
interface StoredLog {

	/** Commands of the test's own that lead to where it is now. */
	RedisClusterCommands<String, String> commands();

	/** The log from that entry on, itself included. */
	default List<LogEntry> log(String entryId) {
		return commands().xrange(Keys.LOG, Range.from(Range.Boundary.including(entryId), Range.Boundary.unbounded()))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.toList();
	}

	/** Its newest entry. */
	default LogEntry head() {
		return commands().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1))
			.stream()
			.map((message) -> LogEntry.of(message.getId(), message.getBody()))
			.findFirst()
			.orElseThrow();
	}

}
