package live.retwis.testing;

import java.util.List;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;

/**
 * Data that belongs to a single test, on the same kind of servers as {@link SharedData}.
 * For instances with bounds that would affect other tests: the workers of all instances
 * process the work of all.
 *
 * @param settings settings that tell an instance where the data is
 * @param end stops the servers
 */
public record OwnData(List<String> settings, Runnable end) implements AutoCloseable {

	/** Starts the servers. */
	public static OwnData start() {
		if (SharedData.CLUSTER) {
			ClusterServers cluster = ClusterServers.start();
			return new OwnData(cluster.settings(), cluster::close);
		}
		RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
		return new OwnData(SharedData.settings("127.0.0.1", redis.port()), redis::close);
	}

	@Override
	public void close() {
		this.end.run();
	}

}
