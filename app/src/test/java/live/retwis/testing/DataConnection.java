package live.retwis.testing;

import java.util.stream.Stream;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

import org.springframework.core.env.Environment;

/**
 * A test's own connection to the data of an instance, on one node or on a cluster.
 *
 * @param client the client, which has to be closed
 * @param commands the commands, which find the node of their key
 */
record DataConnection(AbstractRedisClient client,
		RedisClusterCommands<String, String> commands) implements AutoCloseable {

	/** Connects to the data node or cluster that an instance's settings name. */
	static DataConnection asOf(Environment settings) {
		String nodes = settings.getProperty("spring.data.redis.cluster.nodes", "");
		if (!nodes.isEmpty()) {
			RedisClusterClient client = RedisClusterClient
				.create(Stream.of(nodes.split(",")).map((node) -> RedisURI.create("redis://" + node)).toList());
			return new DataConnection(client, client.connect().sync());
		}
		RedisClient client = RedisClient.create(RedisURI.create(settings.getRequiredProperty("spring.data.redis.host"),
				settings.getRequiredProperty("spring.data.redis.port", Integer.class)));
		return new DataConnection(client, client.connect().sync());
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
