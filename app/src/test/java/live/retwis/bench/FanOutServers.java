package live.retwis.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.redis.Keys;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.LockServers;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

/**
 * Lock nodes, and instances of the packaged site on a data node or a cluster.
 *
 * @param data settings that say where the data is
 * @param commands commands that bypass the site
 * @param planting how followers are added to an author
 * @param locks the lock nodes
 * @param directory directory for logs
 */
record FanOutServers(List<String> data, RedisClusterCommands<String, String> commands, Planting planting,
		LockServers locks, Path directory) implements AutoCloseable {

	/** With this limit no author is pulled. */
	static final String PUSH_ALL = "--retwis.timeline.push-limit=10000000";

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final int SHARD = 10_000;

	static FanOutServers on(RedisProcess redis, RedisClient client, Path directory) {
		return new FanOutServers(List.of("--spring.data.redis.port=" + redis.port()), client.connect().sync(),
				(author, count) -> SeededFollowers.plant("127.0.0.1", redis.port(), author, count, SHARD),
				new LockServers(3), directory);
	}

	static FanOutServers on(ClusterServers cluster, Path directory) {
		return new FanOutServers(cluster.settings(), cluster.commands(),
				(author, count) -> SeededFollowers.plant(cluster, author, count, SHARD), new LockServers(3), directory);
	}

	/** Starts an instance and waits until it answers. */
	Instance launch(String name, String... settings) {
		int port = TestPorts.next();
		List<String> all = new ArrayList<>(List.of("-jar", Path.of("target", "retwis-live.jar").toString(),
				"--server.port=" + port, "--management.server.port=" + TestPorts.next(), "--retwis.embedded=false",
				"--retwis.limits.enabled=false", "--retwis.live.drain=0s", this.locks.setting()));
		all.addAll(this.data);
		all.addAll(List.of(settings));
		Instance instance = new Instance("http://127.0.0.1:" + port,
				ChildProcess.start(this.directory.resolve(name + ".log"), ChildProcess.java(all)));
		awaitAnswer(instance);
		return instance;
	}

	private static void awaitAnswer(Instance instance) {
		Awaitility.await("the start")
			.atMost(LIMIT)
			.ignoreExceptions()
			.until(() -> Visitor.at(instance.origin()).get("/timeline").status() == 200);
	}

	/** Waits until everything is delivered. */
	void settle() {
		Awaitility.await("the end of the fan-out")
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.atMost(LIMIT)
			.until(this::isSettled);
	}

	private boolean isSettled() {
		String head = this.commands.xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getId();
		return this.commands.zcard(Keys.UNFINISHED) == 0
				&& this.commands.xinfoGroups(Keys.LOG).toString().contains(head)
				&& this.commands.xpending(Keys.LOG, "fanout").getCount() == 0;
	}

	/** Adds followers to an author. */
	SeededFollowers plant(String author, int count) {
		return this.planting.plant(author, count);
	}

	@Override
	public void close() {
		this.locks.close();
	}

	/** Adds followers to an author. */
	interface Planting {

		SeededFollowers plant(String author, int count);

	}

	/**
	 * An instance of the site.
	 *
	 * @param origin its address
	 * @param process its process
	 */
	record Instance(String origin, ChildProcess process) implements AutoCloseable {

		@Override
		public void close() {
			this.process.close();
		}

	}

}
