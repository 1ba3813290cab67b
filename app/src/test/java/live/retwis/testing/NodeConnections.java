package live.retwis.testing;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisProcess;

/** Short connections to single nodes. */
public final class NodeConnections {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/** Shared, because each client has threads of its own. */
	private static final RedisClient CLIENT = RedisClient.create();

	private NodeConnections() {
	}

	/** Runs commands on this node, without redirection to others. */
	public static <T> T ask(RedisProcess node, Function<RedisCommands<String, String>, T> question) {
		RedisURI address = RedisURI.create(node.uri());
		address.setTimeout(LIMIT);
		try (StatefulRedisConnection<String, String> connection = CLIENT.connect(address)) {
			return question.apply(connection.sync());
		}
	}

}
