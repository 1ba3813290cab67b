package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;

/**
 * What the instances that ordinary tests share keep their data on, one for each JVM: a
 * single Redis, or with {@code -Dretwis.tests.data=cluster} (Maven profile
 * {@code cluster}) a Redis Cluster of three masters and three replicas.
 * <p>
 * These keep a single Redis of their own in either case:
 * <ul>
 * <li>it is killed or paused, or its log is cut: {@code AwayTests},
 * {@code RedisFaultTests}, {@code DeliveryTraceTests}, {@code FaultTests},
 * {@code FailOverTests} and what is named {@code …Chaos}; {@code MasterLossChaos} does
 * the same to a cluster and to Sentinel,</li>
 * <li>a proxy counts, holds or changes what goes to it: {@code RoundTripTests},
 * {@code DataClockTests}, {@code RegisterPauseTests}, {@code AccountDeletionTests} in
 * part, and the registrations and log-outs whose instance is killed,</li>
 * <li>the server itself is what is looked at: {@code BusTests}, {@code OldestRedisTests},
 * {@code BacklogTests},</li>
 * <li>the instances over it have lock nodes that nobody else has: {@code LockStartTests},
 * {@code LogoutTests} without a quorum, {@code PauseBrowserTests}, and the races of two
 * instances,</li>
 * <li>all that is stored counts: {@code DoctorTests}, {@code DoctorBesideTests} and
 * {@code DoctorCommandTests}, beside which {@code ClusterDoctorTests} has its own
 * cluster, {@code ScreenshotBrowserTests}, {@code LoginLimitTests}, which empties it, and
 * {@code TimelineCapTests}, whose bounds would hold for everybody.</li>
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

	/** What tells an instance where it is. Nobody empties it or takes it away. */
	public static List<String> settings() {
		return CLUSTER ? Cluster.SERVERS.settings() : Single.SETTINGS;
	}

	/** What tells an instance that its data is on that single server. */
	static List<String> settings(TestRedis redis) {
		return settings(redis.host(), redis.port());
	}

	/** What tells an instance that its data is at that address. */
	public static List<String> settings(String host, int port) {
		return List.of("--spring.data.redis.host=" + host, "--spring.data.redis.port=" + port);
	}

	/**
	 * Its instances have the rights that the site needs and no others, so that every test
	 * would notice one that lacks; tests themselves may do anything. Scripts are tried on
	 * keys that are nobody's.
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
