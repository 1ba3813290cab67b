package live.retwis.testing;

import java.util.List;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.locks.nodes.RedisProcess;

/** Redis servers in which a replica automatically replaces a master that fails. */
public interface ReplicatedServers extends AutoCloseable {

	/** Settings that tell an instance where its data is. */
	List<String> settings();

	/** Commands that find the master of their key, also after a fail-over. */
	RedisClusterCommands<String, String> commands();

	/** The current master of a key. */
	RedisProcess masterOf(String key);

	/** Waits until a replica has replaced a master that does not answer. */
	void awaitFailOver(RedisProcess dead);

	/** Waits until each master has its replicas, and all of them are in sync. */
	void awaitWhole();

	@Override
	void close();

}
