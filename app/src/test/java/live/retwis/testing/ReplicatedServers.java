package live.retwis.testing;

import java.util.List;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.locks.nodes.RedisProcess;

/**
 * Redis nodes of which one takes the place of another without anybody's help.
 */
public interface ReplicatedServers extends AutoCloseable {

	/** What tells an instance where its data is. */
	List<String> settings();

	/** Commands that find the master of their key by themselves, over fail-overs too. */
	RedisClusterCommands<String, String> commands();

	/** The master that a key is on now. */
	RedisProcess masterOf(String key);

	/** Waits until a replica has taken the place of a master that does not answer. */
	void awaitFailOver(RedisProcess dead);

	/** Waits until each master has its replicas, and they have all that it has. */
	void awaitWhole();

	@Override
	void close();

}
