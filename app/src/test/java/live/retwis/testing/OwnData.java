package live.retwis.testing;

import java.util.List;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.testing.TestPorts;

/**
 * Data of one test alone, on what {@link SharedData} is on in this run: for instances
 * with bounds that others would feel, for the workers of all instances do the work of
 * all.
 *
 * @param settings that tell an instance where it is
 * @param end of its servers
 */
public record OwnData(List<String> settings, Runnable end) implements AutoCloseable {

	/** Starts its servers. */
	public static OwnData start() {
		if (SharedData.CLUSTER) {
			ClusterServers cluster = ClusterServers.start();
			return new OwnData(cluster.settings(), cluster::close);
		}
		RedisProcess redis = RedisProcess.start(RedisOptions.DEFAULT.withPort(TestPorts.next()));
		return new OwnData(SharedData.settings("127.0.0.1", redis.port()), redis::close);
	}

	@Override
	public void close() {
		this.end.run();
	}

}
