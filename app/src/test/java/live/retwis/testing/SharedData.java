package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;

/**
 * The data store that ordinary tests share, one for each JVM. It is a single Redis or,
 * with {@code -Dretwis.tests.data=cluster} (Maven profile {@code cluster}), a Redis
 * Cluster of three masters and three replicas.
 * <p>
 * Some tests use a single Redis of their own in both cases:
 * <ul>
 * <li>Tests that kill or pause it or cut its log: {@code AwayTests},
 * {@code RedisFaultTests}, {@code DeliveryTraceTests}, {@code FaultTests},
 * {@code FailOverTests} and all {@code …Chaos}. {@code MasterLossChaos} does the same to
 * a cluster and to Sentinel.</li>
 * <li>Tests with a proxy that counts, delays or changes its traffic:
 * {@code RoundTripTests}, {@code DataClockTests}, {@code RegisterPauseTests}, a part of
 * {@code AccountDeletionTests}, and those that kill an instance during a registration or
 * a log-out.</li>
 * <li>Tests of the server itself: {@code BusTests}, {@code OldestRedisTests},
 * {@code BacklogTests}.</li>
 * <li>Tests whose instances have lock nodes of their own: {@code LockStartTests},
 * {@code LogoutTests} without a quorum, {@code PauseBrowserTests}, and the races of two
 * instances.</li>
 * <li>Tests that depend on everything stored: {@code DoctorTests}, all
 * {@code …RepairTests}, {@code DoctorBesideTests}, {@code DataDoctorCommandTests},
 * {@code ScreenshotBrowserTests}, {@code LoginLimitTests}, which empties the store, and
 * {@code TimelineCapTests}, whose bounds would affect all others.
 * {@code ClusterDoctorTests} checks a cluster of its own.</li>
 * </ul>
 */
public final class SharedData {

	static final boolean CLUSTER = isCluster(System.getProperty("retwis.tests.data", "single"));

	private SharedData() {
	}

	private static boolean isCluster(String kind) {
		return switch (kind) {
			case "single" -> false;
			case "cluster" -> true;
			default -> throw new IllegalArgumentException("retwis.tests.data is " + kind + ", not single or cluster");
		};
	}

	/**
	 * Settings that tell an instance where the shared data is. No test may empty it or
	 * stop its servers.
	 */
	public static List<String> settings() {
		return CLUSTER ? Cluster.SERVERS.settings() : Single.SETTINGS;
	}

	/** Settings that tell an instance to use this single server. */
	static List<String> settings(TestRedis redis) {
		return settings(redis.host(), redis.port());
	}

	/** Settings that tell an instance to use the server at this address. */
	public static List<String> settings(String host, int port) {
		return List.of("--spring.data.redis.host=" + host, "--spring.data.redis.port=" + port);
	}

	/**
	 * A single Redis. Its instances have exactly the rights that the site needs, so that
	 * every test would notice a missing one. The tests themselves may run any command.
	 * The extra rules allow scripts to be tried on keys that the site does not use.
	 */
	private static final class Single {

		private static final List<String> SETTINGS = grant(RedisExtension.shared());

		private static List<String> grant(TestRedis redis) {
			Rights.DATA.grantAt(redis.host(), redis.port(), "~test:*", "~{test:*", "&{test:*");
			List<String> all = new ArrayList<>(settings(redis));
			all.add("--spring.data.redis.username=" + Rights.USER);
			all.add("--spring.data.redis.password=" + Rights.PASSWORD);
			return List.copyOf(all);
		}

	}

	private static final class Cluster {

		private static final ClusterServers SERVERS = ClusterServers.start();

	}

}
