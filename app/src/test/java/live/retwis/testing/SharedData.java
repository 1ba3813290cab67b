package live.retwis.testing;

import java.util.List;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;

/**
 * What the instances that ordinary tests share keep their data on, one for each JVM: a
 * single Redis, or with {@code -Dretwis.tests.data=cluster} (Maven profile
 * {@code cluster}) a Redis Cluster of three masters and three replicas.
 * <p>
 * Tests that ask for a Redis of their own
 * ({@link live.retwis.locks.nodes.testing.OwnRedis}) or start one keep that single node
 * in either case: they kill or pause it, put a proxy before it, count its commands or its
 * keys, or need settings that would change what others see.
 */
public final class SharedData {

	private static final boolean CLUSTER = isCluster(System.getProperty("retwis.tests.data", "single"));

	private SharedData() {
	}

	private static boolean isCluster(String kind) {
		return switch (kind) {
			case "single" -> false;
			case "cluster" -> true;
			default -> throw new IllegalArgumentException("retwis.tests.data is " + kind + ", not single or cluster");
		};
	}

	/** What tells an instance where it is. Nobody empties it or takes it away. */
	public static List<String> settings() {
		return CLUSTER ? Cluster.SERVERS.settings() : settings(RedisExtension.shared());
	}

	/** What tells an instance that its data is on that single server. */
	static List<String> settings(TestRedis redis) {
		return settings(redis.host(), redis.port());
	}

	/** What tells an instance that its data is at that address. */
	public static List<String> settings(String host, int port) {
		return List.of("--spring.data.redis.host=" + host, "--spring.data.redis.port=" + port);
	}

	private static final class Cluster {

		private static final ClusterServers SERVERS = ClusterServers.start();

	}

}
