package live.retwis.testing;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;

/**
 * Short talks with single nodes, whatever they belong to.
 */
public final class NodeConnections {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/** One for all: each has threads of its own. */
	private static final RedisClient CLIENT = RedisClient.create();

	private NodeConnections() {
	}

	/** Asks that node, and no other. */
	public static <T> T ask(RedisProcess node, Function<RedisCommands<String, String>, T> question) {
		RedisURI address = RedisURI.create(node.uri());
		address.setTimeout(LIMIT);
		try (StatefulRedisConnection<String, String> connection = CLIENT.connect(address)) {
			return question.apply(connection.sync());
		}
	}

}
